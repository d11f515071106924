/** The engine of the page: it holds the table, looks at it, and fits laws to it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { CompileError } from "vasst/errors/Errors"
import * as Fit from "./Fit.ts"
import * as Look from "./Look.ts"
import * as Read from "./Read.ts"
import type * as Frame from "../../../src/data/Frame.ts"
import type { Reply, Request } from "./Messages.ts"

/** The table that was looked at last. */
let frame: Frame.Frame | undefined
/** The number of the request that is worked on; a newer one ends it. */
let current = 0
let stop = false
/** The fit that was done last. */
let last: Fit.Fitted["report"] | undefined

const post = (reply: Reply): void => globalThis.postMessage(reply)

/** Posts the result of a request, or why there is none. */
const answer = (id: number, work: Effect.Effect<Reply, { readonly message: string }>): void => {
  Effect.runFork(
    Effect.matchCause(work, {
      onSuccess: post,
      onFailure: (cause) => {
        const failure = cause.reasons.find(Cause.isFailReason)
        const defect = Cause.squash(cause)
        post({
          _tag: "Failed",
          id,
          message:
            failure?.error.message ??
            `the engine failed: ${defect instanceof Error ? defect.message : String(defect)}`,
        })
      },
    }),
  )
}

globalThis.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  switch (data._tag) {
    case "Look": {
      const { id, file, bytes } = data
      current = id
      answer(
        id,
        Effect.gen(function* () {
          const read = yield* Read.table(file, bytes)
          const look = yield* Look.of(read)
          frame = read
          return { _tag: "Looked", id, look } as const
        }),
      )
      break
    }
    case "Fit": {
      const { id, settings, file } = data
      current = id
      stop = false
      last = undefined
      answer(
        id,
        Effect.map(
          Fit.fit(
            frame,
            file,
            settings,
            () => stop || current !== id,
            (progress) => post({ _tag: "Progress", id, progress }),
          ),
          ({ outcome, report }) => {
            last = report
            return { _tag: "Done", id, outcome } as const
          },
        ),
      )
      break
    }
    case "Report": {
      const { id } = data
      answer(
        id,
        Effect.gen(function* () {
          if (last === undefined) return yield* new CompileError({ message: "there is no fit to report on" })
          const { document, record } = last
          // As large as the rest of the page: loaded when it is asked for.
          const Page = yield* Effect.promise(() => import("../../../src/report/html/Page.ts"))
          const page = yield* Effect.promise(() => Page.make(document, record()))
          return { _tag: "Reported", id, page } as const
        }),
      )
      break
    }
    case "Stop":
      stop = true
  }
})
