import type * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as redacted from "../internal/redacted.ts"
import * as Complaint from "./Complaint.ts"
import { batchCommand } from "./BatchCommand.ts"
import { calibrateCommand } from "./CalibrateCommand.ts"
import { compareCommand } from "./CompareCommand.ts"
import { demoCommand } from "./DemoCommand.ts"
import { doctorCommand } from "./DoctorCommand.ts"
import { fitCommand } from "./FitCommand.ts"
import type { Fitter } from "./Fitter.ts"
import type { Interrupt } from "./Interrupt.ts"
import { operatorsCommand } from "./OperatorsCommand.ts"
import { Invocation } from "./Invocation.ts"
import * as Logs from "./Logs.ts"
import { predictCommand } from "./PredictCommand.ts"
import { reportCommand } from "./ReportCommand.ts"
import { resumeCommand } from "./ResumeCommand.ts"
import { scoreCommand } from "./ScoreCommand.ts"
import { colors, Screen } from "./Screen.ts"
import { showCommand } from "./ShowCommand.ts"
import { statusCommand } from "./StatusCommand.ts"
import { workerCommand } from "./WorkerCommand.ts"

const vasst = Command.make("vasst").pipe(
  Command.withDescription("Bayesian symbolic regression: finds laws in tables of numbers"),
  Command.withSubcommands([
    fitCommand,
    resumeCommand,
    operatorsCommand,
    predictCommand,
    reportCommand,
    scoreCommand,
    showCommand,
    compareCommand,
    calibrateCommand,
    demoCommand,
    doctorCommand,
    batchCommand,
    workerCommand,
    statusCommand,
  ]),
  Command.withGlobalFlags(Logs.flags),
)

/** Help and version go to the screen; complaints about the command line are made in one place, below. */
const output = Layer.effect(
  CliOutput.Presenter,
  Effect.map(Screen, (screen) => {
    const formatter = CliOutput.defaultFormatter({ colors: colors(screen.columns.out !== undefined) })
    return {
      present: (event: CliOutput.Presenter.Event) =>
        Effect.sync(() => {
          if (event._tag === "Help") screen.out(`${formatter.formatHelpDoc(event.helpDoc)}\n`)
          if (event._tag === "Version") screen.out(`${event.name} ${event.version}\n`)
        }),
    }
  }),
)

const config = CliConfig.layer({
  builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions],
})

/**
 * The whole command line: runs the command that the arguments name and gives the exit code, 0 or 1. Whatever goes
 * wrong is one line on standard error.
 *
 * @param settings.debug whether a defect shows its trace
 * @param settings.begun as of `Invocation`; now if left out
 */
export const program = (
  args: ReadonlyArray<string>,
  settings: { readonly version: string; readonly debug: boolean; readonly begun?: number },
): Effect.Effect<number, never, Fitter | Interrupt | Screen | Command.Environment> => {
  const logs = Logs.asked(args)
  return Command.runWith(vasst, { version: settings.version })(args).pipe(
    Effect.as(0),
    Effect.catch((error) =>
      Effect.map(Screen, (screen) => {
        if (error._tag !== "ShowHelp") {
          screen.err(Complaint.render(error.message))
          return 1
        }
        const [first] = error.errors
        if (first === undefined) return 0
        screen.err(Complaint.render(Complaint.ofCli(first, error.commandPath)))
        return 1
      }),
    ),
    Effect.catchCause((cause: Cause.Cause<never>) =>
      Effect.map(Screen, (screen) => {
        screen.err(Complaint.renderDefect(cause, settings.debug))
        return 1
      }),
    ),
    Effect.provide(Layer.merge(output, config)),
    Effect.provideService(Invocation, {
      version: settings.version,
      args: redacted.args(logs.rest),
      begun: settings.begun ?? performance.now(),
    }),
    Effect.provide(Logs.layer(logs.settings)),
  )
}
