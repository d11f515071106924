import type { Dataset } from "../data/Data.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import type { Algorithm, Info } from "../infer/Algorithm.ts"
import type { Term } from "../expr/Term.ts"
import type * as Template from "../prob/Template.ts"
import * as HoleLibrary from "./HoleLibrary.ts"
import * as TemplateForm from "./TemplateForm.ts"

/** A law of a template that was scored: a form for each hole, and its numbers. */
export interface Entry {
  /** in the order of the template's holes */
  readonly forms: ReadonlyArray<TemplateForm.HoleForm>
  /** the values of the numbers, in the order of `TemplateForm.law` */
  readonly values: Float64Array
  /** the residual sum of squares */
  readonly rss: number
  /** log evidence plus log prior, in nats */
  readonly score: number
  /** how many of its changes were tried */
  tried: number
}

/** What the search knows: plain data. */
export interface State {
  /** best first */
  readonly entries: Array<Entry>
  readonly known: Set<string>
  scored: number
}

/** The result: the laws that were kept, best first. */
export interface Found {
  readonly entries: ReadonlyArray<Entry>
  readonly scored: number
}

/** The best laws that are kept, those of them that are changed, and the forms that are fitted for each change. */
const most = { kept: 40, changed: 6, fitted: 6 }

/** Sums of squares that differ by this share are those of one law. */
const sameFit = 1e-8

export interface Settings {
  readonly trees: number
  /** Whether a hole, by its place, may be a term with these numbers. */
  readonly allows: (hole: number, term: Term) => boolean
  /** log p(y | law) by the number of fitted numbers and the residual sum of squares */
  readonly evidence: (numbers: number, rss: number) => number
}

/** One change of a law: of one hole, in the place of a term of it, beside all, or of its shift. */
type Change =
  | { readonly hole: number; readonly shift: true }
  | { readonly hole: number; readonly without: number | undefined }

const changesOf = ({ forms }: Entry, trees: number): ReadonlyArray<Change> =>
  forms.flatMap((form, hole): ReadonlyArray<Change> => [
    ...(form.trees.length < trees ? [{ hole, without: undefined }] : []),
    ...form.trees.map((_, without) => ({ hole, without })),
    { hole, shift: true },
  ])

/**
 * A search for the laws of a template, over the hard trees of all its holes at once: an algorithm of the contract `Algorithm`. A step takes
 * the best law with a change that was not tried. The law is linearised in the changed hole, where each expression of the hole's library is one column
 * beside the derivatives by the numbers that the law has; those that explain most of the residuals are fitted with all numbers of the law.
 *
 * Fails with a `CompileError` as `HoleLibrary.make`.
 *
 * @param libraries one for each hole, in the order of the template
 */
export const make = (
  template: Template.Template,
  data: Dataset,
  libraries: ReadonlyArray<HoleLibrary.HoleLibrary>,
  { trees, allows, evidence }: Settings,
): Algorithm<State, Info, Found> => {
  const names = Object.keys(template.holes)
  const insert = (
    state: State,
    forms: ReadonlyArray<TemplateForm.HoleForm>,
    start: ReadonlyArray<number>,
  ): void => {
    const key = TemplateForm.keyOf(forms)
    if (state.known.has(key)) return
    state.known.add(key)
    const { term, numbers } = TemplateForm.law(template, libraries, forms)
    // A law with as many numbers as rows explains anything.
    if (numbers.length >= data.rows - 1) return
    const fit = FormulaFit.fit(term, numbers, data, undefined, Float64Array.from(start))
    state.scored++
    if (fit === undefined) return
    const valued = TemplateForm.valued(forms, fit.values)
    const holes = TemplateForm.holes(libraries, valued, fit.values)
    if (!holes.every((term, h) => allows(h, term))) return
    const prior = valued.reduce((sum, form, h) => sum + libraries[h]!.logPrior(form), 0)
    const score = evidence(numbers.length, fit.rss) + prior
    if (!Number.isFinite(score)) return
    const { entries } = state
    // Laws with as many numbers that fit as well are one: the one of the highest prior stays.
    const same = entries.findIndex(
      (one) => one.values.length === numbers.length && Math.abs(one.rss - fit.rss) <= sameFit * fit.rss,
    )
    if (same >= 0) {
      if (entries[same]!.score >= score) return
      entries.splice(same, 1)
    }
    let at = entries.length
    while (at > 0 && entries[at - 1]!.score < score) at--
    entries.splice(at, 0, { forms: valued, values: fit.values, rss: fit.rss, score, tried: 0 })
    entries.length = Math.min(entries.length, most.kept)
  }

  /** Tries one change of a law. */
  const change = (state: State, entry: Entry, one: Change): void => {
    const { hole } = one
    const form = entry.forms[hole]!
    const split = TemplateForm.split(entry.forms, entry.values)
    if ("shift" in one) {
      const own = split[hole]!
      const forms = entry.forms.with(hole, { ...form, shift: !form.shift })
      const shifted = { ...own, shift: form.shift ? [] : [0] }
      if (form.trees.length > 0) insert(state, forms, TemplateForm.joined(split.with(hole, shifted)))
      return
    }
    const without = one.without
    const rest = without === undefined ? form : { ...form, trees: form.trees.toSpliced(without, 1) }
    const own = split[hole]!
    const left = without === undefined ? own : { ...own, trees: own.trees.toSpliced(without, 1) }
    const forms = entry.forms.with(hole, rest)
    const values = TemplateForm.joined(split.with(hole, left))
    if (rest.trees.length > 0 && without !== undefined) insert(state, forms, values)
    const base = HoleLibrary.linearised(template, libraries, forms, values, hole, data)
    if (base === undefined) return
    for (const { tree, coefficient } of libraries[hole]!.best(base, rest.trees, most.fitted)) {
      const numbers = [coefficient, ...TemplateForm.numbersOf(tree)]
      const grown = { ...left, trees: [...left.trees, numbers] }
      insert(
        state,
        entry.forms.with(hole, { ...rest, trees: [...rest.trees, tree] }),
        TemplateForm.joined(split.with(hole, grown)),
      )
    }
    state.scored += libraries[hole]!.size
  }

  const next = (state: State): readonly [Entry, Change] | undefined => {
    for (const entry of state.entries.slice(0, most.changed)) {
      const found = changesOf(entry, trees)[entry.tried]
      if (found !== undefined) return [entry, found]
    }
    return undefined
  }
  return {
    init: () => ({ entries: [], known: new Set(), scored: 0 }),
    step: (state) => {
      if (state.scored === 0) {
        const forms = names.map((): TemplateForm.HoleForm => ({ trees: [], shift: true }))
        insert(
          state,
          forms,
          names.map(() => 1),
        )
        // Where constants make no law, the first expressions of the libraries do.
        if (state.entries.length === 0)
          insert(
            state,
            libraries.map(({ first }) => ({ trees: [first], shift: true })),
            libraries.flatMap(() => [1, 1]),
          )
      } else {
        const found = next(state)
        if (found !== undefined) {
          found[0].tried++
          change(state, ...found)
        }
      }
      const objective = state.entries[0]?.score ?? -Infinity
      return [state, { objective, converged: next(state) === undefined, scored: state.scored }]
    },
    posterior: ({ entries, scored }) => ({ entries: [...entries], scored }),
  }
}
