import * as Context from "effect/Context"

/** The command line as it was given, and the version of the program. */
export const Invocation = Context.Reference<{
  readonly version: string
  /** the arguments after `vasst`, for records of the run: passwords of addresses are left out */
  readonly args: ReadonlyArray<string>
  /** when the command began, in milliseconds of `performance.now`: limits of time count from there */
  readonly begun: number
}>("vasst/cli/Invocation", {
  defaultValue: () => ({ version: "", args: [], begun: performance.now() }),
})
