import type { Algorithm, Info } from "../infer/Algorithm.ts"
import * as Checkpoint from "../infer/Checkpoint.ts"
import * as Rng from "../random/Rng.ts"
import type { Verdict } from "./Verdict.ts"

export type { Verdict } from "./Verdict.ts"

/** Options of `laws`. */
export interface Options {
  /** the seed of the run, with the key of a fit with this seed; 1 by default */
  readonly seed?: number | undefined
  /** the length of the run, 20 by default; a step that has converged ends it earlier */
  readonly steps?: number | undefined
  /**
   * numbers of steps after which the run is written to bytes and read back, and from which single steps are repeated,
   * last first; all by default, fewer for long runs of a slow algorithm
   */
  readonly splits?: ReadonlyArray<number> | undefined
}

/** A run as bytes: the state before the first step and after each, and the info of each step. */
interface Run {
  readonly states: ReadonlyArray<Uint8Array>
  readonly infos: ReadonlyArray<Uint8Array>
}

/** An info as bytes, without its functions, which may close over a state. */
const infoOf = (info: Info): Uint8Array =>
  Checkpoint.write(
    Object.fromEntries(Object.entries(info).filter(([, value]) => typeof value !== "function")),
  )

/** @param resume a function of the state and the number of steps, applied before every step */
const follow = <S, I extends Info, P>(
  { init, step }: Algorithm<S, I, P>,
  key: Rng.Key,
  steps: number,
  resume: (state: S, taken: number) => S = (state) => state,
): Run => {
  let state = init(key)
  const states = [Checkpoint.write(state)]
  const infos: Array<Uint8Array> = []
  for (let taken = 0; taken < steps; taken++) {
    const [next, info] = step(resume(state, taken))
    state = next
    states.push(Checkpoint.write(state))
    infos.push(infoOf(info))
    if (info.converged) break
  }
  return { states, infos }
}

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

/** The difference of a step from the recorded step in words; undefined without one. */
const deviation = (run: Run, taken: number, state: Uint8Array, info: Uint8Array): string | undefined => {
  if (!same(state, run.states[taken + 1]!)) return `the state after step ${taken + 1} differs`
  return same(info, run.infos[taken]!) ? undefined : `the info of step ${taken + 1} differs`
}

/** The first deviation of a run from another. */
const between = (run: Run, other: Run): string | undefined => {
  if (!same(run.states[0]!, other.states[0]!)) return "the first state differs"
  for (const taken of run.infos.keys()) {
    const [state, info] = [other.states[taken + 1], other.infos[taken]]
    if (state === undefined || info === undefined) return `the run ends after step ${taken}`
    const found = deviation(run, taken, state, info)
    if (found !== undefined) return found
  }
  return run.infos.length === other.infos.length ? undefined : "the run continues"
}

/** A law that holds unless `find` returns a deviation or throws. */
const check = (law: string, find: () => string | undefined): Verdict => {
  let found: string | undefined
  try {
    found = find()
  } catch (error) {
    found = error instanceof Error ? error.message : String(error)
  }
  return { law, holds: found === undefined, detail: found ?? "no difference" }
}

/**
 * The laws of algorithms (`infer/Algorithm`), shipped or your own, checked on one run: a state is plain data; `init`
 * depends on the key alone; a step depends on its state alone; a run that is written to bytes and read back continues
 * unchanged; `posterior` changes no state. States and infos are compared bit by bit. The steps of the run are taken
 * about four times.
 *
 * *When to use*: in the tests of your own inference, on a small problem, with a run beyond its first phase.
 *
 * @returns a verdict on each law, for a test to assert: `laws(algorithm).filter(({ holds }) => !holds)` is empty. If
 *   states are no plain data, no other law is checked
 *
 * @example
 * const search = yield* Search.algorithm(model, data, { library: 100 })
 * expect(laws(search, { steps: 100, splits: [10, 60, 61] }).filter(({ holds }) => !holds)).toEqual([])
 */
export const laws = <S, I extends Info, P>(
  algorithm: Algorithm<S, I, P>,
  { seed = 1, steps = 20, splits = Array.from({ length: steps }, (_, i) => i) }: Options = {},
): ReadonlyArray<Verdict> => {
  const { init, step, posterior } = algorithm
  const key = Rng.key(seed)
  const otherKey = Rng.fold(key, "another run")
  let recorded: Run | undefined
  const plain = check("a state is plain data, and the same when it is read back", () => {
    const run = follow(algorithm, key, steps)
    const lost = run.states.findIndex((bytes) => !same(bytes, Checkpoint.write(Checkpoint.read<S>(bytes))))
    recorded = run
    return lost < 0 ? undefined : `the state after step ${lost} differs when it is read back`
  })
  if (recorded === undefined) return [plain]
  const run: Run = recorded
  const stateAt = (taken: number): S => Checkpoint.read(run.states[taken]!)
  const takeFrom = (state: S, taken: number): string | undefined => {
    const [next, info] = step(state)
    return deviation(run, taken, Checkpoint.write(next), infoOf(info))
  }
  // The last step first, so that data kept beside the states would not match them.
  const backwards = Array.from(run.infos.keys())
    .filter((taken) => taken === 0 || splits.includes(taken))
    .toReversed()

  return [
    plain,
    check("init depends on the key alone", () => {
      step(init(otherKey))
      return same(Checkpoint.write(init(key)), run.states[0]!)
        ? undefined
        : "the first state of the same key differs after other steps"
    }),
    check("a step depends on its state alone", () => {
      for (const [i, taken] of backwards.entries()) {
        const found = takeFrom(stateAt(taken), taken)
        if (found !== undefined) return `${found} when it is taken from a copy after other steps`
        if (i % 5 === 0) step(init(otherKey))
      }
      return undefined
    }),
    check("a run that is written to bytes and read back continues unchanged", () =>
      between(
        run,
        follow(algorithm, key, steps, (state, taken) =>
          splits.includes(taken) ? Checkpoint.copy(state) : state,
        ),
      ),
    ),
    check("posterior changes nothing", () => {
      for (const taken of backwards.filter((taken, i) => taken === 0 || i % 5 === 0)) {
        const state = stateAt(taken)
        posterior(state)
        if (!same(Checkpoint.write(state), run.states[taken]!))
          return `the state after step ${taken} differs after its posterior was computed`
        const found = takeFrom(state, taken)
        if (found !== undefined) return `${found} after the posterior was computed`
      }
      return undefined
    }),
  ]
}
