import * as Result from "effect/Result"
import * as Operator from "../expr/Operator.ts"
import { SettingError } from "../errors/Setting.ts"
import { inBasicOperators } from "../expr/form/basicOperators.ts"
import { parse, type TermParseError } from "../expr/text/parse.ts"
import * as Term from "../expr/Term.ts"
import * as Grammar from "./Grammar.ts"
import * as Split from "./Split.ts"
import { alike, concentrations, shares, type Uses } from "./dist/Concentrations.ts"
import { fromTerm, type OutsideGrammarError } from "./tree/fromTerm.ts"
import type * as HardTree from "./tree/HardTree.ts"
import * as Nesting from "./tree/Nesting.ts"
import type { Restriction } from "./tree/Restriction.ts"

/** The prior of forms that a list of formulas has; each part has its place in `Tree.prior`. */
export interface CorpusPrior {
  /** Dirichlet concentrations of a grammar's operators, in its order. */
  readonly operators: (grammar: Grammar.Grammar) => ReadonlyArray<number>
  /** Those of its terminals: features, exact numbers, fitted numbers. */
  readonly terminals: (grammar: Grammar.Grammar) => ReadonlyArray<number>
  /** The probability of an operator by depth. */
  readonly split: Split.SplitTable
  /** The prior of what stands below what (`Tree.nesting`). */
  readonly nesting: Restriction
  /** the formulas that no tree of the operators stands for, each with the reason; they are not counted */
  readonly outside: ReadonlyArray<{ readonly formula: string | Term.Term; readonly reason: string }>
}

/** Settings of `fromCorpus`. Fields that are left out have default values. */
export interface CorpusSettings {
  /** the operators that formulas are read with; the shipped ones if left out */
  readonly operators?: ReadonlyArray<Operator.Operator> | undefined
  /** whether a name is a number that is fitted, and no feature; c, c0, c1, ... if left out */
  readonly isNumber?: ((name: string) => boolean) | undefined
  /** the weight of the shares of operators and leaves anywhere in those at a place, as a number of uses; 10 if left out */
  readonly weight?: number | undefined
}

/** The number that is added to concentrations, so that operators and numbers that no formula has are not excluded. */
const unseen = 0.25

/** The operators that ship, but for those that others make. */
const usual = Object.values<Operator.Operator>(Operator.shipped).filter(
  ({ name }) => name !== "inv" && name !== "cube",
)

interface Node {
  readonly tree: HardTree.Tree
  readonly depth: number
}

const nodesOf = (tree: HardTree.Tree, depth = 0): ReadonlyArray<Node> => [
  { tree, depth },
  ...(tree._tag === "Leaf" ? [] : tree.children.flatMap((child) => nodesOf(child, depth + 1))),
]

const fittedName = "fitted"
const count = <K>(map: Map<K, number>, key: K): void => void map.set(key, 1 + (map.get(key) ?? 0))

/** The exact numbers of a term. */
const numbersOf = Term.fold<ReadonlyArray<number>>((layer) =>
  layer._tag === "Constant" ? [layer.value] : Term.children(layer).flat(),
)

/**
 * The share of nodes with an operator at each depth, with one imaginary node of either kind: the posterior mean under a uniform
 * prior. The last holds for all deeper nodes.
 *
 * @param nodes the depth of each node, and whether it has an operator
 * @param depths how many depths have a share of their own
 */
export const splits = (
  nodes: ReadonlyArray<{ readonly depth: number; readonly isOperator: boolean }>,
  depths: number,
): ReadonlyArray<number> =>
  Array.from({ length: depths }, (_, at) => {
    const here = nodes.filter(({ depth }) => depth === at)
    return (here.filter(({ isOperator }) => isOperator).length + 1) / (here.length + 2)
  })

/**
 * The prior over forms that a list of formulas has: weights of operators and terminals (Dirichlet-multinomial, `concentrations`), split
 * probabilities by depth, and which operators stand inside of which. Each formula is one tree as it is written; the default prior of laws
 * (`docs/reference/form-prior.md`) is fitted by the same functions on representations that have links and coefficients.
 *
 * *When to use*: where the forms of a field are known, as the rate laws of a chemist.
 *
 * @param formulas terms, or texts in infix notation
 * @throws SettingError when no formula can be read
 *
 * @example
 * const prior = Prior.fromCorpus(["c*exp(-c/T)", "c0*x/(c1 + x)"])
 * Model.sample("operatorWeights", Dist.dirichlet(prior.operators(grammar)))
 * Tree.prior({ grammar, depth: 4, split: prior.split, operators, features, restrictions: [prior.nesting] })
 */
export const fromCorpus = (
  formulas: ReadonlyArray<string | Term.Term>,
  settings: CorpusSettings = {},
): CorpusPrior => {
  const { operators = usual, isNumber = (name) => /^c\d*$/.test(name), weight } = settings
  const outside: Array<CorpusPrior["outside"][number]> = []
  const [nodes, uses, leaves] = [Array<Node>(), Array<Uses>(), Array<Uses>()]
  const terms: Array<{ readonly tree: Nesting.Standing }> = []
  for (const formula of formulas) {
    const read = reading(formula, operators)
    if (Result.isFailure(read)) {
      outside.push({ formula, reason: read.failure.message })
      continue
    }
    const { grammar, tree } = read.success
    const kindOf = ({ name, term }: Grammar.Terminal): string =>
      term._tag === "Constant" ? Nesting.kindOfNumber(term.value) : isNumber(name) ? fittedName : "feature"
    terms.push({ tree: standing(grammar, kindOf, tree) })
    const [named, terminals, features] = [
      new Map<string, number>(),
      new Map<string, number>(),
      new Map<string, number>(),
    ]
    for (const node of nodesOf(tree)) {
      nodes.push(node)
      if (node.tree._tag === "Branch") {
        count(named, operators[node.tree.operator]!.name)
        continue
      }
      const terminal = grammar.terminals[node.tree.terminal]!
      const kind = kindOf(terminal)
      if (kind === "feature") count(features, terminal.name)
      else count(terminals, kind)
    }
    uses.push({ named })
    leaves.push({ named: terminals, alike: [...features.values()] })
  }
  if (uses.length === 0)
    throw new SettingError({
      message: `no formula of the corpus has a tree: ${outside[0]?.reason ?? "it is empty"}`,
    })
  const names = (all: ReadonlyArray<Uses>): ReadonlyArray<string> => [
    ...new Set(all.flatMap(({ named }) => [...named.keys()])),
  ]
  const ofOperators = concentrations(uses, names(uses))
  const ofTerminals = concentrations(leaves, [alike, ...names(leaves)])
  const deepest = nodes.reduce((most, { depth }) => Math.max(most, depth), 0)
  const parts = nodes.map(({ tree, depth }) => ({ depth, isOperator: tree._tag === "Branch" }))
  const operatorsOf: CorpusPrior["operators"] = (grammar) =>
    grammar.operators.map(({ name }) => (ofOperators.get(name) ?? 0) + unseen)
  const terminalsOf: CorpusPrior["terminals"] = (grammar) =>
    grammar.terminals.map((terminal) => {
      const kind = Nesting.kindOf(terminal)
      return (ofTerminals.get(kind === "feature" ? alike : kind) ?? 0) + unseen
    })
  return {
    operators: operatorsOf,
    terminals: terminalsOf,
    split: Split.splitTable(splits(parts, Math.max(1, deepest))),
    nesting: Nesting.nesting(
      Nesting.usesOf(terms),
      (grammar) => ({ operators: shares(operatorsOf(grammar)), terminals: shares(terminalsOf(grammar)) }),
      weight,
    ),
    outside,
  }
}

const standing = (
  grammar: Grammar.Grammar,
  kindOf: (terminal: Grammar.Terminal) => string,
  tree: HardTree.Tree,
): Nesting.Standing =>
  tree._tag === "Leaf"
    ? { name: kindOf(grammar.terminals[tree.terminal]!), operands: [] }
    : {
        name: grammar.operators[tree.operator]!.name,
        operands: tree.children.map((child) => standing(grammar, kindOf, child)),
      }

/** The tree of a formula; its features and fitted numbers are all features of the grammar. */
const reading = (
  formula: string | Term.Term,
  operators: ReadonlyArray<Operator.Operator>,
): Result.Result<
  { readonly grammar: Grammar.Grammar; readonly tree: HardTree.Tree },
  OutsideGrammarError | TermParseError
> =>
  Result.flatMap(typeof formula === "string" ? parse(formula) : Result.succeed(formula), (given) => {
    const term = inBasicOperators(Term.meaning(given))
    const grammar = Grammar.make({
      features: [...new Set(["x", ...Term.variables(term)])],
      operators,
      constants: Object.fromEntries(numbersOf(term).map((value) => [` ${value}`, value])),
    })
    return Result.map(fromTerm(grammar, term), (tree) => ({ grammar, tree }))
  })
