import * as Effect from "effect/Effect"
import type { Complaint } from "../Complaint.ts"
import type { Limits } from "./Watch.ts"

/**
 * Runs a part of the program within its budget of memory, if it has one. The watch is loaded where it is needed: some builds of Node lack what
 * it collects garbage with.
 *
 * @param stop the request of a signal
 * @param use is given that request, or that of a memory that is full
 * @errors Complaint as of `Watch.during`
 */
export const within = <A, E, R>(
  budget: Limits | undefined,
  stop: AbortSignal,
  use: (stop: AbortSignal) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | Complaint, R> =>
  budget === undefined
    ? use(stop)
    : Effect.flatMap(
        Effect.promise(() => import("./Watch.ts")),
        (Watch) => Watch.during(budget, (full) => use(AbortSignal.any([stop, full]))),
      )
