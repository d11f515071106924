import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import { fitCommand } from "./FitCommand.ts"
import { Invocation } from "./Invocation.ts"
import * as RunFolder from "./RunFolder.ts"
import * as Source from "./Source.ts"

/** `vasst resume DIR`: goes on with a run of `vasst fit --run DIR`. */
export const resumeCommand = Command.make(
  "resume",
  {
    run: Argument.String("DIR").pipe(Argument.withDescription("The folder of vasst fit --run")),
  },
  ({ run }) =>
    Effect.gen(function* () {
      const { version, begun } = yield* Invocation
      const folder = (yield* Path.Path).resolve(run)
      const configuration = yield* RunFolder.read(run)
      const { command, directory } = configuration
      // Paths of the command are relative to where it was given.
      if (process.cwd() !== directory)
        yield* Effect.try({
          try: () => process.chdir(directory),
          catch: () =>
            Source.about(run, `this run was begun in the folder ${directory}, which is not there any more`),
        })
      return yield* Command.runWith(fitCommand, { version: "" })(command.slice(1)).pipe(
        Effect.provideService(Invocation, { version, args: command, begun }),
        Effect.provideService(RunFolder.Resumed, { folder, configuration }),
      )
    }),
).pipe(
  Command.withDescription("Go on with a run of vasst fit --run, from the state that was kept last"),
  Command.withExamples([
    { command: "vasst resume run/", description: "After kill, a loss of power, or Ctrl-C" },
  ]),
)
