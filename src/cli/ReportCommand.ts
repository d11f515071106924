import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import { optional, path, present } from "./Flags.ts"
import * as ReportFile from "./ReportFile.ts"
import * as Run from "./Run.ts"
import { Screen } from "./Screen.ts"

/** `vasst report RUN`: the laws of a run as one page of HTML. */
export const reportCommand = Command.make(
  "report",
  {
    run: Run.argument,
    out: optional(path("out", "FILE", "Write the page to this file (default report.html in the folder)")),
    overwrite: present("overwrite", "Replace a file that is no report of vasst"),
  },
  ({ run, out, overwrite }) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const paths = yield* Path.Path
      const { document, record } = yield* Run.readBoth(run)
      yield* ReportFile.single(document.best.parts?.outputs.map(({ target }) => target) ?? [])
      const file = out ?? paths.join(run, "report.html")
      yield* ReportFile.prepare(file, overwrite)
      yield* ReportFile.write(file, document, record)
      screen.out(`${file}\n`)
    }),
).pipe(
  Command.withDescription(
    "Write a page of HTML with the law, its uncertainty, its residuals and how to reproduce it, for any browser, without a network",
  ),
  Command.withExamples([
    { command: "vasst report run/", description: "Write run/report.html" },
    { command: "vasst report run/ --out law.html", description: "Write the page elsewhere" },
  ]),
)
