import * as Result from "effect/Result"
import * as Operator from "../expr/Operator.ts"
import { SettingError } from "../errors/Setting.ts"
import { spelled } from "../expr/form/Spelled.ts"
import { parse, type TermParseError } from "../expr/text/parse.ts"
import * as Term from "../expr/Term.ts"
import * as Grammar from "./Grammar.ts"
import * as Split from "./Split.ts"
import { alike, concentrations, type Uses } from "./dist/Concentrations.ts"
import { fromTerm, type OutsideGrammarError } from "./tree/fromTerm.ts"
import type * as HardTree from "./tree/HardTree.ts"
import { logPrior, type Restriction } from "./tree/Restriction.ts"

/** The prior of forms that a list of formulas has; each part has its place in `Tree.prior`. */
export interface CorpusPrior {
  /** Dirichlet concentrations of a grammar's operators, in its order. */
  readonly operators: (grammar: Grammar.Grammar) => ReadonlyArray<number>
  /** Those of its terminals: features, exact numbers, fitted numbers. */
  readonly terminals: (grammar: Grammar.Grammar) => ReadonlyArray<number>
  /** The probability of an operator by depth. */
  readonly split: Split.SplitTable
  /**
   * The prior of nesting: a factor for each operator that is an operand of another, the probability of the pair over that of the
   * inner operator anywhere.
   */
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
  /** the weight of the shares of operators anywhere in those of a pair, as a number of uses; 5 if left out */
  readonly weight?: number | undefined
}

/** What is added to concentrations, so that operators and numbers that no formula has are not excluded. */
const unseen = 0.25

/** The operators that ship, but for those that others make. */
const usual = Object.values<Operator.Operator>(Operator.shipped).filter(
  ({ name }) => name !== "inv" && name !== "cube",
)

interface Node {
  readonly tree: HardTree.Tree
  readonly depth: number
  /** the operator that it is an operand of */
  readonly above: number | undefined
}

const nodesOf = (tree: HardTree.Tree, depth = 0, above?: number): ReadonlyArray<Node> => [
  { tree, depth, above },
  ...(tree._tag === "Leaf" ? [] : tree.children.flatMap((child) => nodesOf(child, depth + 1, tree.operator))),
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
  const { operators = usual, isNumber = (name) => /^c\d*$/.test(name), weight = 5 } = settings
  const outside: Array<CorpusPrior["outside"][number]> = []
  const [nodes, uses, leaves] = [Array<Node>(), Array<Uses>(), Array<Uses>()]
  for (const formula of formulas) {
    const read = reading(formula, operators)
    if (Result.isFailure(read)) {
      outside.push({ formula, reason: read.failure.message })
      continue
    }
    const { grammar, tree } = read.success
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
      const { name, term } = grammar.terminals[node.tree.terminal]!
      if (term._tag === "Constant") count(terminals, keyOf(term.value))
      else if (isNumber(name)) count(terminals, fittedName)
      else count(features, name)
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
  return {
    operators: (grammar) => grammar.operators.map(({ name }) => (ofOperators.get(name) ?? 0) + unseen),
    terminals: (grammar) =>
      grammar.terminals.map(({ term, fitted }, index) => {
        const key =
          index < grammar.features.length ? alike : fitted !== undefined ? fittedName : keyOfTerm(term)
        return (ofTerminals.get(key) ?? 0) + unseen
      }),
    split: Split.splitTable(splits(parts, Math.max(1, deepest))),
    nesting: nestingOf(nodes, operators, weight),
    outside,
  }
}

const keyOf = (value: number): string => String(value)
const keyOfTerm = (term: Term.Term): string => (term._tag === "Constant" ? keyOf(term.value) : alike)

/** The tree of a formula; its features and fitted numbers are all features of the grammar. */
const reading = (
  formula: string | Term.Term,
  operators: ReadonlyArray<Operator.Operator>,
): Result.Result<
  { readonly grammar: Grammar.Grammar; readonly tree: HardTree.Tree },
  OutsideGrammarError | TermParseError
> =>
  Result.flatMap(typeof formula === "string" ? parse(formula) : Result.succeed(formula), (given) => {
    const term = spelled(Term.meaning(given))
    const grammar = Grammar.make({
      features: [...new Set(["x", ...Term.variables(term)])],
      operators,
      constants: Object.fromEntries(numbersOf(term).map((value) => [` ${value}`, value])),
    })
    return Result.map(fromTerm(grammar, term), (tree) => ({ grammar, tree }))
  })

/** log r: the sum over pairs of an operator and one inside of it of log q(inner given outer) / q(inner). */
const nestingOf = (
  nodes: ReadonlyArray<Node>,
  operators: ReadonlyArray<Operator.Operator>,
  weight: number,
): Restriction => {
  const [pairs, outer, inner] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  let all = 0
  for (const { tree, above } of nodes) {
    if (tree._tag === "Leaf" || above === undefined) continue
    const [own, around] = [operators[tree.operator]!.name, operators[above]!.name]
    count(pairs, `${around} ${own}`)
    count(outer, around)
    count(inner, own)
    all++
  }
  const lift = (around: string, own: string): number => {
    const share = ((inner.get(own) ?? 0) + 1) / (all + operators.length)
    const pair = (pairs.get(`${around} ${own}`) ?? 0) + weight * share
    return Math.log(pair / ((outer.get(around) ?? 0) + weight) / share)
  }
  return logPrior((root, grammar) => {
    const sum = (tree: HardTree.Tree, around: string | undefined): number => {
      if (tree._tag === "Leaf") return 0
      const { name } = grammar.operators[tree.operator]!
      const own = around === undefined ? 0 : lift(around, name)
      return tree.children.reduce((total, child) => total + sum(child, name), own)
    }
    return sum(root, undefined)
  }, "the nesting of a corpus")
}
