import * as Effect from "effect/Effect"
import * as Turn from "../../infer/Turn.ts"
import type { Deadline } from "../Deadline.ts"

/** Work on lists in shares of the time that is left. */
export interface Pace {
  /** Whether a share of the time, from 0 to 1, is not used yet. */
  readonly within: (share: number) => boolean
  /** A kind of work, whose speed is measured as it goes. */
  readonly kind: () => Worker
}

/**
 * The results for a list up to a share of the time. What would take longer than there is, by the work done so far, is left out: one long
 * fit must not take the time of many short ones. Between two of them there is a pause (`Turn.Pause`).
 *
 * @param always whether there is one result, however late it is
 * @param of undefined for no result
 */
export type Worker = <A extends { readonly work: number }, B>(
  list: ReadonlyArray<A>,
  share: number,
  always: boolean,
  of: (one: A) => B | undefined,
) => Effect.Effect<ReadonlyArray<B>>

/** Begins work that lasts to a deadline. */
export const make = (deadline: Deadline): Pace => {
  const whole = deadline.left()
  const used = (): number => {
    if (whole === Infinity) return 0
    return whole > 0 ? 1 - deadline.left() / whole : 1
  }
  return {
    within: (share) => used() < share,
    kind: () => {
      const done = { work: 0, time: 0 }
      return <A extends { readonly work: number }, B>(
        list: ReadonlyArray<A>,
        share: number,
        always: boolean,
        of: (one: A) => B | undefined,
      ) =>
        Effect.gen(function* () {
          const pause = yield* Turn.Pause
          const made: Array<B> = []
          for (const one of list) {
            yield* pause
            const begun = used()
            const needed = done.work > 0 ? (one.work * done.time) / done.work : 0
            if (begun + needed >= share && !(always && made.length === 0)) continue
            const result = of(one)
            done.work += one.work
            done.time += used() - begun
            if (result !== undefined) made.push(result)
          }
          return made
        })
    },
  }
}
