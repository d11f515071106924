import { type Command, type Running, start } from "./process.ts"

/** What a worker says of a message. */
export type Answer = { readonly result: unknown } | { readonly error: string }

/** A process on one processor that answers lines of JSON by lines of JSON, one at a time. */
export interface Worker {
  /** The answer to a message; an error where the process fails, or says nothing for `limit` seconds and is killed. */
  readonly ask: (message: object, limit: number) => Promise<Answer>
  readonly end: () => void
}

interface Talking extends Running {
  /** the next line, or why there will be none */
  readonly next: () => Promise<string | { readonly gone: string }>
}

const talk = (command: Command, slot: number): Talking => {
  let take: (line: string) => void = () => undefined
  const running = start(command, slot, (line) => take(line))
  const gone = running.ended.then(
    (end) => ({ gone: end }),
    (error: unknown) => ({ gone: String(error) }),
  )
  return {
    ...running,
    next: () => Promise.race([new Promise<string>((resolve) => (take = resolve)), gone]),
  }
}

/** A worker that is started when it is first asked, and again after its process was lost. */
export const worker = (command: Command, slot: number): Worker => {
  let running: Talking | undefined
  return {
    ask: async (message, limit) => {
      const process = (running ??= talk(command, slot))
      let late = false
      const timer = setTimeout(() => {
        late = true
        process.kill()
      }, 1000 * limit)
      const answer = process.next()
      process.write(`${JSON.stringify(message)}\n`)
      const line = await answer
      clearTimeout(timer)
      if (typeof line === "string") return JSON.parse(line)
      running = undefined
      return { error: late ? `killed after ${limit} s` : line.gone }
    },
    end: () => running?.close(),
  }
}
