import { lgamma } from "../../src/numeric/Special.ts"
import { splits } from "../../src/prob/Corpus.ts"
import { concentrations, shares, type Uses, alike } from "../../src/prob/dist/Concentrations.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Constant from "../../src/prob/Constant.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Nesting from "../../src/prob/tree/Nesting.ts"
import type { Forms } from "../../src/models/Forms.ts"
import { formOf, type Law } from "./corpus.ts"
import { all, type Represented, linkNames, type Representation } from "./representation.ts"
import * as Trees from "./tree.ts"

/** The fitted prior of forms. */
export interface FormPrior {
  /** Dirichlet concentrations by operator */
  readonly operators: ReadonlyMap<string, number>
  /** Dirichlet concentrations of each feature, of exact constants by name, and of a fitted constant */
  readonly terminals: ReadonlyMap<string, number>
  /** the probability that a node has an operator, by depth */
  readonly splits: ReadonlyArray<number>
  readonly inclusion: number
  readonly links: ReadonlyMap<string, number>
  /** where operators and leaves stand */
  readonly uses: Nesting.Uses
}

/** The largest number of terms and the largest depth of the default model; laws beyond them are not counted. */
export const [mostTerms, deepest] = [3, 5]

/**
 * Nats that a number costs in the evidence at about 400 rows, log(n) / 2. It decides between representations of one law
 * that differ in their numbers of coefficients and of fitted constants.
 */
const numberCost = 3

export const operatorsOf = ({ trees }: Representation): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const { tree } of trees.flatMap((tree) => Trees.nodes(tree)))
    if (tree._tag === "Node") found.set(tree.operator, 1 + (found.get(tree.operator) ?? 0))
  return found
}

export const terminalsOf = ({ trees }: Representation): Uses => {
  const [named, features] = [new Map<string, number>(), new Map<string, number>()]
  const count = (map: Map<string, number>, name: string): void => void map.set(name, 1 + (map.get(name) ?? 0))
  for (const { tree } of trees.flatMap((tree) => Trees.nodes(tree))) {
    if (tree._tag !== "Leaf") continue
    const { terminal } = tree
    if (typeof terminal === "string") count(named, terminal)
    else if (terminal._tag === "Feature") count(features, terminal.name)
    else count(named, "fitted")
  }
  return { named, alike: [...features.values()] }
}

const kindOf = (terminal: Trees.Terminal): string =>
  typeof terminal === "string" ? terminal : terminal._tag === "Feature" ? "feature" : "fitted"

const standing = (tree: Trees.Tree): Nesting.Standing =>
  tree._tag === "Leaf"
    ? { name: kindOf(tree.terminal), operands: [] }
    : { name: tree.operator, operands: tree.children.map(standing) }

/** Whether the default model has the representation, given a power with a fitted exponent. */
export const isWithin = ({ trees }: Representation): boolean =>
  trees.length > 0 &&
  trees.length <= mostTerms &&
  trees.every((tree) => Trees.nodes(tree).every(({ depth }) => depth <= deepest))

const logRising = (a: number, m: number): number => lgamma(a + m) - lgamma(a)

const logDirichlet = (uses: Uses, concentration: ReadonlyMap<string, number>): number => {
  const feature = concentration.get(alike) ?? 0
  const like = uses.alike ?? []
  const total = [...concentration].reduce(
    (sum, [name, value]) => sum + value * (name === alike ? like.length : 1),
    0,
  )
  const parts = [
    ...[...uses.named].map(([name, count]) => [concentration.get(name) ?? 0.01, count] as const),
    ...like.map((count) => [feature, count] as const),
  ]
  const all = parts.reduce((sum, [, count]) => sum + count, 0)
  return parts.reduce((sum, [value, count]) => sum + logRising(value, count), 0) - logRising(total, all)
}

/** Kinds of leaves as a grammar of one feature has them. */
const kinds = ["feature", "1", "2", "pi", "fitted"]

/** An operator by its name; those that the library does not ship, such as acos, are placeholders of one operand. */
const operatorOf = (name: string): Operator.Operator =>
  Object.values(Operator.shipped).find((one) => one.name === name) ?? Operator.unary(name, (x) => x)

/** log r of the trees of a representation by what stands below what. */
export const nested = ({ uses, operators, terminals }: FormPrior): ((one: Representation) => number) => {
  // Functions that no law of the prior has are one placeholder, which keeps its weight everywhere.
  const names = [...operators.keys(), "another"]
  const grammar = Grammar.make({
    features: ["feature"],
    operators: names.map(operatorOf),
    constants: { 1: 1, 2: 2, pi: Math.PI, fitted: Constant.scaleFree },
  })
  const weight = (concentration: ReadonlyMap<string, number>) => (name: string) =>
    concentration.get(name) ?? 0.01
  const ofKinds = shares(kinds.map((kind) => weight(terminals)(kind === "feature" ? alike : kind)))
  const rule = Nesting.nesting(uses, () => ({
    operators: shares(names.map(weight(operators))),
    terminals: grammar.terminals.map((one) => ofKinds[kinds.indexOf(Nesting.kindOf(one))]!),
  })).rule(grammar)
  const hard = (tree: Trees.Tree): Tree.Tree =>
    tree._tag === "Node"
      ? Tree.branch(
          names.indexOf(operators.has(tree.operator) ? tree.operator : "another"),
          tree.children.map(hard),
        )
      : Tree.leaf(grammar.terminals.findIndex((one) => Nesting.kindOf(one) === kindOf(tree.terminal)))
  return ({ link, trees }) =>
    trees
      .map(hard)
      .reduce((sum, tree) => sum + Nesting.log(rule, tree) + Nesting.ofRoot(rule.under(link), tree), 0)
}

/** How many numbers of a representation are fitted or coefficients. */
const numbersOf = (one: Representation): number =>
  one.trees.length + (terminalsOf(one).named.get("fitted") ?? 0) + (one.intercept === 0 ? 0 : 1)

/** The evidence's price of the numbers of a representation, in nats. */
export const priceOf = (one: Representation): number => numberCost * numbersOf(one)

/** The log prior of a representation, and the evidence's price of its numbers. */
export const score = (
  prior: FormPrior,
  one: Representation,
  nesting: (one: Representation) => number = nested(prior),
): number => {
  const k = one.trees.length
  const structure = one.trees
    .flatMap((tree) => Trees.nodes(tree))
    .reduce((sum, { tree, depth }) => {
      const p = prior.splits[Math.min(depth, prior.splits.length - 1)] ?? 0.5
      return sum + (tree._tag === "Node" ? Math.log(p) : Math.log1p(-p))
    }, 0)
  const terminals = terminalsOf(one)
  return (
    structure +
    nesting(one) +
    Math.log(prior.links.get(one.link) ?? 1e-3) +
    k * Math.log(prior.inclusion / (1 - prior.inclusion)) +
    logDirichlet({ named: operatorsOf(one) }, prior.operators) +
    logDirichlet(terminals, prior.terminals) -
    priceOf(one)
  )
}

/** The prior of highest likelihood given a representation of each law, with one imaginary use of each choice. */
const maximise = (chosen: ReadonlyArray<Representation>): FormPrior => {
  const nodes = chosen.flatMap(({ trees }) => trees.flatMap((tree) => Trees.nodes(tree)))
  const operators = [...new Set(chosen.flatMap((one) => [...operatorsOf(one).keys()]))]
  const terms = chosen.reduce((sum, { trees }) => sum + trees.length, 0)
  return {
    operators: concentrations(
      chosen.map((one) => ({ named: operatorsOf(one) })),
      operators,
    ),
    terminals: concentrations(chosen.map(terminalsOf), [alike, "1", "2", "pi", "fitted"]),
    splits: splits(
      nodes.map(({ tree, depth }) => ({ depth, isOperator: tree._tag === "Node" })),
      deepest,
    ),
    inclusion: terms / (mostTerms * chosen.length),
    links: new Map(
      linkNames.map((name) => [
        name,
        (chosen.filter(({ link }) => link === name).length + 1) / (chosen.length + linkNames.length),
      ]),
    ),
    uses: Nesting.usesOf(
      chosen.flatMap(({ link, trees }) => trees.map((tree) => ({ tree: standing(tree), link }))),
    ),
  }
}

const start: FormPrior = {
  operators: new Map(),
  terminals: new Map([
    [alike, 1],
    ["1", 0.5],
    ["2", 0.5],
    ["pi", 0.2],
    ["fitted", 1],
  ]),
  splits: [0.9, 0.6, 0.4, 0.3, 0.2],
  inclusion: 0.5,
  links: new Map(linkNames.map((name) => [name, name === "identity" ? 0.5 : 0.5 / 9])),
  uses: {},
}

/** The prior of forms fitted on laws, and the representation of each law that has the highest posterior probability. */
export interface Fitted {
  readonly prior: FormPrior
  readonly represented: ReadonlyArray<Represented>
}

export const fit = (laws: ReadonlyArray<Law>): Fitted => {
  const choices = laws
    .map((law) => ({ law, forms: all(law).filter(isWithin) }))
    .filter(({ forms }) => forms.length > 0)
  const operators = new Set(
    choices.flatMap(({ forms }) => forms.flatMap((form) => [...operatorsOf(form).keys()])),
  )
  let prior: FormPrior = { ...start, operators: new Map([...operators].map((name) => [name, 1])) }
  for (let step = 0; ; step++) {
    // Nestings would choose themselves: a link whose terms are alike makes more of such terms likelier.
    const of = (one: Representation): number => score(prior, one, () => 0)
    const represented = choices.map(({ law, forms }) => ({
      law,
      ...forms.reduce((best, one) => (of(one) > of(best) ? one : best)),
    }))
    if (step === 8) return { prior, represented }
    prior = maximise(represented)
  }
}

/** Counts by place, places by name, the most frequent first. */
const sorted = (uses: Nesting.Uses): Nesting.Uses =>
  Object.fromEntries(
    Object.entries(uses)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([place, counts]) => [
        place,
        Object.fromEntries(Object.entries(counts).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
      ]),
  )

/** A number rounded to a multiple of a step. */
const rounded = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(3))

/**
 * The defaults of the library (`src/models/LawForms.ts`): a fitted prior, smoothed and rounded. Concentrations of operators
 * are raised by 1/4, so that functions of few laws of the corpus are not excluded. Those of terminals are scaled, with 2
 * for each feature (a table may have features that are not in the law), and raised by 1/10. A link has at least 0.005.
 *
 * @param names the operators of the whole corpus
 */
export const smoothed = (prior: FormPrior, names: ReadonlyArray<string>): Forms => {
  const scale = 2 / (prior.terminals.get(alike) ?? 1)
  return {
    operators: Object.fromEntries(
      names.map((name) => [name, rounded((prior.operators.get(name) ?? 0) + 0.25, 0.05)]),
    ),
    terminals: Object.fromEntries(
      kinds
        .slice(1)
        .map((name) => [name, rounded(scale * (prior.terminals.get(name) ?? 0) + 0.1, 0.05)] as const),
    ),
    split: prior.splits.map((p) => rounded(p, 0.01)),
    inclusion: rounded(prior.inclusion, 0.05),
    links: Object.fromEntries(
      [...prior.links].map(([name, p]) => [name, Math.max(0.005, rounded(p, 0.005))]),
    ),
    uses: sorted(prior.uses),
  }
}

/** Laws of any number of columns, and curves, the laws of one column. */
export type Kinds<A> = Readonly<Record<"laws" | "curves", A>>

/** Whether a law has one column. */
export const isCurve = (law: Law): boolean => formOf(law).columns.length === 1

/** The prior of laws and that of curves, each with the representations of its laws. */
export const both = (laws: ReadonlyArray<Law>): Kinds<Fitted> => ({
  laws: fit(laws),
  curves: fit(laws.filter(isCurve)),
})

/** The defaults of the library, of laws and of curves. */
export const forms = ({ laws, curves }: Kinds<Fitted>): Kinds<Forms> => {
  const names = [...laws.prior.operators.keys()]
  return { laws: smoothed(laws.prior, names), curves: smoothed(curves.prior, names) }
}
