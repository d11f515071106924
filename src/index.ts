/**
 * vasst: Bayesian symbolic regression as a functional probabilistic programming language.
 *
 * The table of contents, in the order in which a program flows. Every module can be imported by itself
 * (`vasst/expr/Operator`), which is what the examples do.
 */

// 1. Declare: what the model is. Immutable data and programs, no tensors.
export * as Term from "./expr/Term.ts" // scalar formulas: build, derive, simplify
export * as Operator from "./expr/Operator.ts" // a name and one term
export * as Grammar from "./prob/Grammar.ts" // features, operators, constants, what may not stand inside what
export * as Dist from "./prob/Dist.ts" // distributions: density, entropy, divergence, sampler
export * as Prior from "./prob/Prior.ts" // priors of sites; split probabilities that decay with depth
export * as Tree from "./prob/Tree.ts" // hard trees, pruning, and the prior over trees
export * as KnownForms from "./prob/KnownForms.ts" // the forms of named laws, which have a prior mass of their own
export * as Template from "./prob/Template.ts" // the form of a law with holes: functions that are to be found
export * as TemplateText from "./prob/TemplateText.ts" // templates and shapes as texts, such as f(t)*exp(-g(x))
export * as Shape from "./expr/Shape.ts" // sign, slope, parity and limits of a function
export * as Link from "./prob/Link.ts" // functions of the response that may be linear
export * as Likelihood from "./evidence/Likelihood.ts" // how trees make data
export * as Noise from "./evidence/Noise.ts" // how far the response lies from the law: a latent kind, wrong rows
export * as Constant from "./prob/Constant.ts" // numbers inside of terms that are fitted
export * as Constants from "./evidence/exact/Constants.ts" // which constants of a law are exact numbers, a priori
export * as Model from "./prob/Model.ts" // sample, plate, observe: the program

// 2. Compile: one tracing run gives a plan; engines interpret it.
export * as Plan from "./prob/Plan.ts" // slots and graph
export * as PlanText from "./prob/planText.ts" // the plan as a page and as a picture
export * as Enumerate from "./evidence/enumerate.ts" // the exact posterior of a small grammar
export { engine as tfjs } from "./vi/engines/tfjs/onDemand.ts" // the reference engine; tfjs is loaded when a fit needs it
export { engine as scalar } from "./vi/engines/oracle/engine.ts" // the oracle
export { infix } from "./expr/text/infix.ts" // terms as text, to read
export { latex } from "./expr/text/latex.ts" // to typeset
export { sympy } from "./expr/text/sympy.ts" // for SymPy
export { numpy } from "./expr/text/numpy.ts" // for NumPy
export { javascript } from "./expr/text/javascript.ts" // for JavaScript
export { parse } from "./expr/text/parse.ts" // and back

// 3. Relax: discrete draws made differentiable.
export * as Schedule from "./vi/Schedule.ts" // numbers that change with the step
export * as Relaxation from "./vi/Relaxation.ts" // Binary-Concrete and Gumbel-Softmax

// 4. Infer: every axis a value.
export * as Family from "./vi/Family.ts" // the variational family
export * as Objective from "./vi/Objective.ts" // the objective that is maximised
export * as Optimizer from "./vi/Optimizer.ts" // how
export * as Stop from "./infer/Stop.ts" // until when, and why it ended
export * as Infer from "./vi/Infer.ts" // gradient ascent of the ELBO: a stream of steps, or the posterior at its end
export * as ScoreFunction from "./vi/ScoreFunction.ts" // the same over hard trees, by the score function
export * as Search from "./search/Search.ts" // the search for hard ensembles
export * as Moves from "./search/Moves.ts" // its moves
export * as Move from "./search/Move.ts" // a move of one's own
export * as Inclusive from "./inclusive/Inclusive.ts" // the search with a family that proposes trees
export * as Algorithm from "./infer/Algorithm.ts" // the contract of all of them
export * as Fit from "./infer/Fit.ts" // drives any of them
export * as Checkpoint from "./infer/Checkpoint.ts" // their states as bytes
export * as FileStore from "./infer/FileStore.ts" // keeps states in a folder, for runs that last
export * as Archive from "./infer/Archive.ts" // ensembles that were scored
export * as Restarts from "./infer/Restarts.ts" // the same fit from many seeds, on all cores
export * as Posterior from "./infer/Posterior.ts" // draws from it

// 5. Rank: hard models and their evidence.
export * as Scorer from "./rank/Scorer.ts" // exact scores of single ensembles
export * as Inclusion from "./rank/Inclusion.ts" // probabilities of columns, operations and parts of laws
export * as Prediction from "./rank/Prediction.ts" // predictions with bands, averaged over laws
export * as Rank from "./rank/Rank.ts" // LMPSE, BIC, Occam's window, groups of equal models

// 6. Run: where and with what.
export * as Backend from "./vi/Backend.ts" // which tfjs backend
export * as Data from "./data/Data.ts" // tables of numbers, checked
export * as Chunks from "./data/Chunks.ts" // tables that are read in parts
export * as SharedData from "./data/SharedData.ts" // tables that all threads see
export * as Workers from "./workers/Workers.ts" // jobs over the cores
export * as Rng from "./random/Rng.ts" // splittable, counter-based randomness
export * as Errors from "./errors/Errors.ts" // what can go wrong

// 7. Models that ship.
export * as Formula from "./models/Formula.ts" // a formula of one's own, scored as laws are
export * as GroupLaw from "./models/groupLaw.ts" // the same for rows in groups: numbers that are shared, and numbers of each group
export * as Law from "./models/law.ts" // from a table to its law: terms in or out, under a link; searched
export * as StreamedLaw from "./models/streamedLaw.ts" // the same for tables that are larger than the memory
export * as TemplateLaw from "./models/templateLaw.ts" // the same for a form with holes
export * as Vasst from "./models/vasst.ts" // the paper's model and inference
