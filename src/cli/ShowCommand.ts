import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type { Document } from "../report/Document.ts"
import { Complaint } from "./Complaint.ts"
import { present } from "./Flags.ts"
import * as Run from "./Run.ts"
import { lines, Screen } from "./Screen.ts"

const formats = ["infix", "latex", "sympy", "numpy", "javascript", "json"] as const

/** `vasst show RUN`: the laws of a run, the parts that they share, and their text in any notation. */
export const showCommand = Command.make(
  "show",
  {
    run: Run.argument,
    format: Flag.Literals("format", formats).pipe(
      Flag.withDescription(
        "Print laws in this notation alone, the best law or with --all one on each line (default: a table)",
      ),
      Flag.optional,
    ),
    all: present("all", "All laws that were ranked, and not the best ten or the best alone"),
  },
  ({ run, format, all }) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const document = yield* Run.read(run)
      if (format._tag === "Some") {
        const notation = format.value
        const models = all ? document.models : [document.best]
        screen.out(
          lines(
            models.flatMap((one) =>
              notation === "json" ? [JSON.stringify(one)] : textsOf(one, key(notation)),
            ),
          ),
        )
        return undefined
      }
      const PosteriorText = yield* Effect.promise(() => import("../report/PosteriorText.ts"))
      const found = yield* Effect.mapError(
        Effect.fromResult(PosteriorText.lines(document, { all, width: screen.columns.out })),
        ({ message }) => new Complaint({ message: `${run}: a law cannot be read: ${message}` }),
      )
      screen.out(lines(found))
      return undefined
    }),
).pipe(
  Command.withDescription("Show the laws of a run, the probabilities of their parts, and their numbers"),
  Command.withExamples([
    { command: "vasst show run/ --format latex", description: "The best law as LaTeX" },
    { command: "vasst show run/ --all", description: "Every law that was ranked" },
  ]),
)

/** A law in a notation; of several outputs one on each line, with its name. */
const textsOf = (
  { parts, ...one }: Document["best"],
  notation: ReturnType<typeof key>,
): ReadonlyArray<string> =>
  parts === undefined || parts.outputs.length === 1
    ? [one[notation]]
    : parts.outputs.map((output) => `${output.target} = ${output[notation]}`)

const key = (format: Exclude<(typeof formats)[number], "json">) =>
  format === "infix" ? ("expression" as const) : format
