import { Session } from "node:inspector"
import { setFlagsFromString } from "node:v8"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Complaint } from "../Complaint.ts"
import * as Requests from "../Requests.ts"
import * as Size from "./Size.ts"

/** A step that keeps the memory of the process below its limit. */
export type Step = "nothing" | "collect" | "stop" | "refuse"

/** Shares of the limit from which on garbage is collected, by how much memory grows until it is again, and what a process may take above its limit. */
const shares = { collect: 0.72, again: 0.04, over: 1.05 } as const

/** The memory that was seen: its size after garbage was collected last, in bytes. */
export interface Known {
  readonly collected: number | undefined
}

/**
 * The step at a size of the resident memory.
 *
 * @param after whether garbage has been collected at the look before
 */
export const step = (
  { limit, reserve }: Pick<Limits, "limit" | "reserve">,
  { collected }: Known,
  resident: number,
  after: boolean,
): Step => {
  if (after)
    return resident > shares.over * limit ? "refuse" : resident > limit - reserve ? "stop" : "nothing"
  return resident > Math.max(shares.collect * limit, (collected ?? 0) + shares.again * limit)
    ? "collect"
    : "nothing"
}

/** By how much V8 lets a heap grow before it collects garbage by itself, in percent. */
const growing = 15

/** Milliseconds between looks. */
const looking = 25

/** Collects the garbage of this thread as far as V8 can; there is no other way without a flag of Node. */
const collector = (): { readonly collect: () => void; readonly close: () => void } => {
  const session = new Session()
  session.connect()
  // Within the same thread the answer comes before `post` returns.
  return { collect: () => session.post("HeapProfiler.collectGarbage"), close: () => session.disconnect() }
}

/** A limit of memory in bytes. */
export interface Limits {
  readonly limit: number
  /** what the signal leaves for work after it */
  readonly reserve: number
  /** the complaint where the process has more than 5 % above its limit; a sentence with the amount that it has if left out */
  readonly over?: string | undefined
}

/**
 * Runs a part of the program within a limit of memory: garbage is collected near to it, and the signal is aborted where too little is left
 * for a ranking.
 *
 * @errors Complaint where the process has more than 5 % above its limit, whatever was done
 */
export const during = <A, E, R>(
  limits: Limits,
  use: (full: AbortSignal) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | Complaint, R> => {
  const controller = new AbortController()
  return Effect.acquireUseRelease(
    Effect.sync(() => {
      // V8 lets garbage double a heap before it looks for it, and steps may be long. It reads this at each collection.
      setFlagsFromString(`--heap-growing-percent=${growing}`)
      const over = Deferred.makeUnsafe<never, Complaint>()
      const garbage = collector()
      let known: Known = { collected: undefined }
      // V8 gives pages back to the system in threads of its own: memory is as small as collection makes it at the next look.
      let collected = false
      const look = (): void => {
        const resident = process.memoryUsage.rss()
        const next = step(limits, known, resident, collected)
        if (collected) known = { collected: resident }
        collected = next === "collect"
        if (next === "collect") garbage.collect()
        if (next === "stop" || next === "refuse") controller.abort(Requests.full)
        if (next === "refuse") Deferred.doneUnsafe(over, Effect.fail(tooLittle(limits, resident)))
      }
      const timer = setInterval(look, looking).unref()
      const leave = (): void => {
        setFlagsFromString("--heap-growing-percent=0")
        clearInterval(timer)
        garbage.close()
      }
      return { over, leave }
    }),
    ({ over }) => Effect.raceFirst(use(controller.signal), Deferred.await(over)),
    ({ leave }) => Effect.sync(leave),
  )
}

const tooLittle = ({ limit, over }: Limits, resident: number): Complaint =>
  new Complaint({
    message:
      over ??
      `this needs more than the ${Size.format(limit)} of --memory: ${Size.format(resident)} so far; give --memory ${Size.format(1.5 * resident)}, or fewer rows, columns, trees or workers`,
  })
