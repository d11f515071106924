import * as Equal from "fp-ts/lib/Eq.js"
import * as Text from "fp-ts/lib/string.js"
import type { Grammar } from "../prob/Grammar.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import type * as Tree from "../prob/Tree.ts"
import * as Form from "./Form.ts"

/**
 * A symbolic ensemble {T(f_1), ..., T(f_K)} in canonical form: operands of commutative operators in one order
 * (`Tree.canonical`), trees sorted by `Tree.key`. Ensembles that differ only by these orders are one model.
 */
export interface Ensemble {
  readonly trees: ReadonlyArray<Tree.Tree>
  /** The index of the response's link among the likelihood's; 0 without links. */
  readonly link: number
  /** Equal exactly for equal ensembles. */
  readonly key: string
}

/** Whether it has a term, that is, is not a constant. */
export const hasTerms = ({ ensemble }: { readonly ensemble: Pick<Ensemble, "trees"> }): boolean =>
  ensemble.trees.length > 0

/** The one without terms, a constant; undefined where there is none. */
export const constantAmong = <A extends { readonly ensemble: Pick<Ensemble, "trees"> }>(
  all: ReadonlyArray<A>,
): A | undefined => all.find((one) => !hasTerms(one))

/** Ensembles are equal when their canonical forms are. */
export const Eq: Equal.Eq<Ensemble> = Equal.contramap((ensemble: Ensemble) => ensemble.key)(Text.Eq)

/** The ensemble of forms, given in any order. */
const ofForms = (forms: ReadonlyArray<Form.Form>, link: number): Ensemble => {
  const sorted = forms.toSorted(Form.byKey)
  return { trees: sorted.map(({ tree }) => tree), link, key: keyOf(sorted, link) }
}

const keyOf = (sorted: ReadonlyArray<Form.Form>, link: number): string =>
  [...(link === 0 ? [] : [`g${link}`]), ...sorted.map(({ key }) => key)].join(" ")

/** The canonical form of K trees and, where the likelihood has links, of the index of one. */
export const make = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>, link = 0): Ensemble =>
  ofForms(
    trees.map((tree) => Form.of(grammar, tree)),
    link,
  )

/** The canonical form of a set: trees with equal canonical forms count once. */
export const ofSet = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>, link = 0): Ensemble =>
  ofForms(once(trees.map((tree) => Form.of(grammar, tree))), link)

/** Forms, equal ones once. */
const once = (forms: ReadonlyArray<Form.Form>): ReadonlyArray<Form.Form> => [
  ...new Map(forms.map((form) => [form.key, form])).values(),
]

/** Drawn skeletons: each array has length H K N, draws outermost, then trees, then nodes in heap order. */
export interface Draws {
  readonly split: ArrayLike<number>
  readonly operator: ArrayLike<number>
  readonly terminal: ArrayLike<number>
  /** values of fitted constants, one list for each constant; leaves of a constant without a list have no value */
  readonly values?: ReadonlyArray<DrawnValues> | undefined
  /** inclusion indicators, length H K, draws outermost; if undefined all trees are included */
  readonly included?: ArrayLike<number> | undefined
  /** indices of links, length H; if undefined all are 0 */
  readonly link?: ArrayLike<number> | undefined
}

/** The values that one fitted constant has at every node. */
export interface DrawnValues {
  /** index of the constant among the grammar's terminals */
  readonly terminal: number
  /** the values, length H K N, in the order of the skeletons */
  readonly at: ArrayLike<number>
}

export interface Drawn {
  readonly ensemble: Ensemble
  readonly draws: number
}

/**
 * An ensemble of an archive: the link's index, its trees in any order, and the number of times that the search met it.
 */
export interface Archived {
  readonly link: number
  readonly trees: ReadonlyArray<Tree.Tree>
  /** 1 if left out */
  readonly count?: number | undefined
}

/** Distinct ensembles in order of their first occurrence, with their counts. */
const tally = (found: Iterable<readonly [Ensemble, number]>): ReadonlyArray<Drawn> => {
  const known = new Map<string, { readonly ensemble: Ensemble; draws: number }>()
  for (const [ensemble, count] of found) {
    const before = known.get(ensemble.key)
    if (before === undefined) known.set(ensemble.key, { ensemble, draws: count })
    else before.draws += count
  }
  return [...known.values()]
}

/** Distinct ensembles of several lists, in order of their first draw. */
export const together = (lists: Iterable<ReadonlyArray<Drawn>>): ReadonlyArray<Drawn> =>
  tally(Array.from(lists).flatMap((list) => list.map(({ ensemble, draws }) => [ensemble, draws] as const)))

/** The distinct ensembles of an archive of sets, in canonical form: ensembles with equal forms are counted together. */
export const fromArchive = (grammar: Grammar, archive: Iterable<Archived>): ReadonlyArray<Drawn> =>
  tally(Array.from(archive, ({ trees, link, count = 1 }) => [ofSet(grammar, trees, link), count] as const))

/**
 * The distinct ensembles of drawn skeletons, in order of their first draw (the last part of Algorithm "SampleHard" of
 * the paper: pruning).
 *
 * @param options.sets whether equal trees of a draw count once; false by default
 */
export const fromDraws = (
  forest: { readonly grammar: Grammar; readonly depth: number; readonly trees: number },
  draws: Draws,
  options: { readonly sets?: boolean } = {},
): ReadonlyArray<Drawn> => {
  const { grammar, depth, trees } = forest
  const nodes = Skeleton.size(depth)
  const values = new Map(draws.values?.map(({ terminal, at }) => [terminal, at]))
  const pruned = Form.pruning(grammar, depth, (terminal, at) => values.get(terminal)?.[at])
  const count = Math.floor(draws.split.length / (trees * nodes))
  const forms = (h: number): ReadonlyArray<Form.Form> => {
    const drawn: Array<Form.Form> = []
    for (let tree = h * trees; tree < (h + 1) * trees; tree++)
      if (draws.included === undefined || draws.included[tree] === 1) drawn.push(pruned(draws, tree * nodes))
    return options.sets === true ? once(drawn) : drawn
  }
  return tally(Array.from({ length: count }, (_, h) => [ofForms(forms(h), draws.link?.[h] ?? 0), 1] as const))
}
