import type * as Output from "../evidence/Output.ts"
import type { Algorithm, Info } from "../infer/Algorithm.ts"
import type { Reach } from "../infer/Archive.ts"
import type * as Template from "../prob/Template.ts"
import * as Rng from "../random/Rng.ts"
import * as HoleLibrary from "./HoleLibrary.ts"
import * as TemplateForm from "./TemplateForm.ts"
import * as TemplateScore from "./TemplateScore.ts"

/** A law with the number of laws that had been scored when it was found. */
export interface Entry extends TemplateScore.Scored {
  readonly found: number
}

/** A law of the present restart. */
interface Leader {
  readonly entry: Entry
  /** how many of its changes were tried */
  tried: number
}

/** What the search knows: plain data. */
export interface State {
  readonly key: Rng.Key
  /** the laws of all restarts, best first */
  readonly entries: Array<Entry>
  /** those of the present restart, best first */
  readonly leaders: Array<Leader>
  /** those that the last change has made, and that are not fitted yet; a step fits one */
  readonly candidates: Array<TemplateScore.Candidate>
  /** the keys of the laws that the present restart has looked at */
  readonly known: Set<string>
  /** the best score of each restart that has ended */
  readonly ends: Array<number>
  /** the best score of a law of which every change was tried */
  closed: number
  /** the score of the law whose holes are numbers */
  constant: number | undefined
  begun: boolean
  scored: number
}

/** The result: the laws that were kept, best first, and how far the search came. */
export interface Found extends Pick<State, "entries" | "scored" | "constant"> {
  readonly reach: Reach
}

/** The best laws that are kept, those of them that are changed, the forms that are fitted for each change, and the restarts. */
const most = { kept: 40, changed: 6, fitted: 6, restarts: 8, draws: 20 }

/** Laws of as many numbers are one where their sums of squares differ by this share at most, and their log evidences by as many nats. */
const same = { squares: 1e-3, nats: 1e-5 }
/** Restarts that end within as many nats of the best agree, and as many of them end the search. */
const [sameScore, enough] = [1, 2]

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

const isSame = (one: Entry, other: Entry): boolean =>
  one.values.length === other.values.length &&
  Math.abs(one.logEvidence - other.logEvidence) <= same.nats &&
  one.rss.every((rss, k) => Math.abs(rss - other.rss[k]!) <= same.squares * rss)

/** Puts a law into a list, best first. Laws with as many numbers that fit as well are one: that of the highest prior stays. */
const put = <A>(list: Array<A>, one: A, of: (one: A) => Entry): void => {
  const entry = of(one)
  const twin = list.findIndex((other) => isSame(of(other), entry))
  if (twin >= 0) {
    if (of(list[twin]!).score >= entry.score) return
    list.splice(twin, 1)
  }
  let at = list.length
  while (at > 0 && of(list[at - 1]!).score < entry.score) at--
  list.splice(at, 0, one)
  list.length = Math.min(list.length, most.kept)
}

/**
 * A search for the laws of a template, over the hard trees of all its holes at once: an algorithm of the contract `Algorithm`. A step fits one law, or
 * takes the best law with a change that was not tried and finds the laws that are to be fitted: the law is linearised in the changed hole, where each
 * expression of the hole's library is one column beside the derivatives by the numbers that the law has, and those that explain most of the residuals are
 * fitted with all numbers. A restart ends when no change of its best laws is left; the next begins with expressions drawn by chance. The search ends
 * when two restarts end at the best law.
 *
 * @param outputs those of the template, in order, on the same rows
 * @param libraries one for each hole, in the order of the template
 */
export const make = (
  template: Template.Template,
  outputs: ReadonlyArray<Output.Output>,
  libraries: ReadonlyArray<HoleLibrary.HoleLibrary>,
  {
    trees,
    allows,
  }: TemplateScore.Settings & {
    /** the most trees of a hole */
    readonly trees: number
  },
): Algorithm<State, Info, Found> => {
  const names = Object.keys(template.holes)
  const score = TemplateScore.make(template, outputs, libraries, { allows })
  /** Fits and scores a law, and keeps it. @returns undefined where it is none, or was looked at before */
  const insert = (state: State, candidate: TemplateScore.Candidate): Entry | undefined => {
    const key = TemplateForm.keyOf(candidate.forms)
    if (state.known.has(key)) return undefined
    state.known.add(key)
    state.scored++
    const scored = score(candidate)
    if (scored === undefined) return undefined
    const entry: Entry = { ...scored, found: state.scored }
    put(state.entries, entry, (one) => one)
    put(state.leaders, { entry, tried: 0 }, (one) => one.entry)
    return entry
  }

  /** The laws that one change of a law makes. */
  const changed = (entry: Entry, one: Change): ReadonlyArray<TemplateScore.Candidate> => {
    const { hole } = one
    const form = entry.forms[hole]!
    const split = TemplateForm.split(entry.forms, entry.values)
    if ("shift" in one) {
      const own = split[hole]!
      const forms = entry.forms.with(hole, { ...form, shift: !form.shift })
      const shifted = { ...own, shift: form.shift ? [] : [0] }
      return form.trees.length > 0 ? [{ forms, start: TemplateForm.joined(split.with(hole, shifted)) }] : []
    }
    const { without } = one
    const rest = without === undefined ? form : { ...form, trees: form.trees.toSpliced(without, 1) }
    const own = split[hole]!
    const left = without === undefined ? own : { ...own, trees: own.trees.toSpliced(without, 1) }
    const forms = entry.forms.with(hole, rest)
    const start = TemplateForm.joined(split.with(hole, left))
    const base = HoleLibrary.linearised(template, libraries, forms, start, hole, outputs, entry.rss)
    const best = base === undefined ? [] : libraries[hole]!.best(base, rest.trees, most.fitted)
    return [
      ...(rest.trees.length > 0 && without !== undefined ? [{ forms, start }] : []),
      ...best.map(({ tree, coefficient }): TemplateScore.Candidate => {
        const numbers = [coefficient, ...TemplateForm.numbersOf(tree)]
        const grown = { ...left, trees: [...left.trees, numbers] }
        return {
          forms: entry.forms.with(hole, { ...rest, trees: [...rest.trees, tree] }),
          start: TemplateForm.joined(split.with(hole, grown)),
        }
      }),
    ]
  }

  const next = (state: State): readonly [Leader, Change] | undefined => {
    for (const leader of state.leaders.slice(0, most.changed)) {
      const found = changesOf(leader.entry, trees)[leader.tried]
      if (found !== undefined) return [leader, found]
    }
    return undefined
  }

  /** A law of one expression in each hole, drawn by chance; its numbers begin at 1, and its coefficients at 0 or at 1. */
  const draw = (state: State, attempt: number): Entry | undefined => {
    const { next: uniform } = Rng.generator(Rng.fold(Rng.fold(state.key, state.ends.length), attempt))
    const forms = libraries.map(({ drawn }): TemplateForm.HoleForm => ({
      trees: [drawn(uniform())],
      shift: true,
    }))
    const coefficient = uniform() < 0.5 ? 0 : 1
    return insert(state, {
      forms,
      start: forms.flatMap((form) => [1, coefficient, ...form.trees.flatMap(TemplateForm.numbersOf)]),
    })
  }

  /** Begins a restart: the first with numbers in all holes, where these make a law. */
  const begin = (state: State): void => {
    state.leaders.length = 0
    state.known.clear()
    state.begun = true
    if (state.ends.length === 0) {
      const constant = insert(state, {
        forms: names.map((): TemplateForm.HoleForm => ({ trees: [], shift: true })),
        start: names.map(() => 1),
      })
      state.constant = constant?.score
    }
    for (let attempt = 0; attempt < most.draws && state.leaders.length === 0; attempt++) draw(state, attempt)
  }

  /** Looks, where no law waits to be fitted, which laws have no change left, and whether the restart has ended. */
  const settle = (state: State): void => {
    for (const { entry, tried } of state.leaders.slice(0, most.changed))
      if (tried >= changesOf(entry, trees).length) state.closed = Math.max(state.closed, entry.score)
    if (state.begun && next(state) === undefined) {
      state.ends.push(state.leaders[0]?.entry.score ?? -Infinity)
      state.begun = false
    }
  }

  const agreeing = ({ entries, ends }: State): number =>
    ends.filter((score) => score > (entries[0]?.score ?? Infinity) - sameScore).length
  const isDone = (state: State): boolean => agreeing(state) >= enough || state.ends.length >= most.restarts

  return {
    init: (key) => ({
      key,
      entries: [],
      leaders: [],
      candidates: [],
      known: new Set(),
      ends: [],
      closed: -Infinity,
      constant: undefined,
      begun: false,
      scored: 0,
    }),
    step: (state) => {
      const candidate = state.candidates.shift()
      if (candidate !== undefined) insert(state, candidate)
      else if (!state.begun) begin(state)
      else {
        const found = next(state)
        if (found !== undefined) {
          const [leader, one] = found
          leader.tried++
          state.candidates.push(...changed(leader.entry, one))
          if ("without" in one) state.scored += libraries[one.hole]!.size
        }
      }
      if (state.candidates.length === 0) settle(state)
      const objective = state.entries[0]?.score ?? -Infinity
      return [state, { objective, converged: isDone(state), scored: state.scored }]
    },
    posterior: (state) => ({
      entries: [...state.entries],
      scored: state.scored,
      constant: state.constant,
      reach: {
        restarts: state.ends.length,
        agreeing: agreeing(state),
        // Of the best law every expression was tried in each hole, beside the rest and in its place.
        exhausted:
          state.closed >= (state.entries[0]?.score ?? Infinity)
            ? libraries.reduce((least, one) => Math.min(least, one.exhausted), Infinity)
            : 0,
      },
    }),
  }
}
