import { messageOf } from "../harness/lines.ts"
import { run } from "../harness/process.ts"
import type { Ending, Improvement, Message } from "./record.ts"
import type { Call } from "./solvers.ts"

/** What a solver's process said until its end. */
export interface Attempt {
  readonly improvements: ReadonlyArray<Improvement>
  /** undefined where it was killed or failed */
  readonly ending: Ending | undefined
  readonly killed: boolean
  /** why there is no ending, where it was not killed */
  readonly error: string | undefined
  /** wall-clock seconds of the whole process */
  readonly wall: number
}

/** Runs a solver's process on the processor of `slot`. It is killed after `limit` seconds; its improvements until then count. */
export const attempt = async ({ command, input }: Call, slot: number, limit: number): Promise<Attempt> => {
  const improvements: Array<Improvement> = []
  let ending: Ending | undefined
  const { killed, end, wall } = await run(command, input, slot, limit, (line) => {
    const message = messageOf<Message>(line)
    if (message === undefined) return
    if ("improvement" in message) improvements.push(message.improvement)
    else ending = message.ending
  })
  return { improvements, ending, killed, error: ending === undefined && !killed ? end : undefined, wall }
}
