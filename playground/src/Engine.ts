import type { Look, Outcome, Progress, Reply, Request } from "./engine/Messages.ts"
import type { Settings } from "./Settings.ts"

/** The engine, as the page talks with it. */
export interface Engine {
  /** @errors rejects with the message about a text that is no table */
  readonly look: (file: string, bytes: Uint8Array) => Promise<Look>
  /** Fits to the table that was looked at last. A newer call ends an older one, which then never settles. */
  readonly fit: (
    file: string,
    settings: Settings,
    onProgress: (progress: Progress) => void,
  ) => Promise<Outcome>
  /** The report of the fit that was done last, as a page of HTML. */
  readonly report: () => Promise<string>
  /** Ends the fit, whose result is then that of the laws found so far. */
  readonly stop: () => void
}

interface Waiting {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  readonly onProgress: (progress: Progress) => void
}

/** Starts the engine in a worker of its own. */
export const start = (): Engine => {
  const worker = new Worker(new URL("./engine/worker.ts", import.meta.url), {
    type: "module",
    name: "vasst engine",
  })
  let id = 0
  let waiting: Waiting | undefined
  const ask = (request: (id: number) => Request, onProgress: Waiting["onProgress"]): Promise<Reply> =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject, onProgress }
      worker.postMessage(request(++id))
    })
  worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
    // Answers to older requests are of no interest any more.
    if (data.id !== id || waiting === undefined) return
    if (data._tag === "Progress") waiting.onProgress(data.progress)
    else if (data._tag === "Failed") waiting.reject(new Error(data.message))
    else waiting.resolve(data)
  })
  worker.addEventListener("error", ({ message }) =>
    waiting?.reject(
      new Error(
        `the engine did not start (${message || "no reason given"}); it needs a browser with WebAssembly SIMD and module workers: Chrome 91, Firefox 114, Safari 16.4 or newer`,
      ),
    ),
  )
  const wrong = (): never => {
    throw new Error("the engine answered another question")
  }
  return {
    look: async (file, bytes) => {
      const reply = await ask(
        (id) => ({ _tag: "Look", id, file, bytes }),
        () => undefined,
      )
      return reply._tag === "Looked" ? reply.look : wrong()
    },
    fit: async (file, settings, onProgress) => {
      const reply = await ask((id) => ({ _tag: "Fit", id, settings, file }), onProgress)
      return reply._tag === "Done" ? reply.outcome : wrong()
    },
    report: async () => {
      const reply = await ask(
        (id) => ({ _tag: "Report", id }),
        () => undefined,
      )
      return reply._tag === "Reported" ? reply.page : wrong()
    },
    stop: () => {
      const request: Request = { _tag: "Stop" }
      worker.postMessage(request)
    },
  }
}
