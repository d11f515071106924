/** Structured logs on standard error, which are off unless the command line asks for them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Watch from "../infer/Watch.ts"
import * as redacted from "../internal/redacted.ts"
import { Screen } from "./Screen.ts"

const levels = { error: "Error", warn: "Warn", info: "Info", debug: "Debug", trace: "Trace" } as const
const formats = ["text", "json"] as const

const options = ["--log-level", "--log-format"] as const

/** The flags of all commands; `asked` reads them. */
export const flags = [
  GlobalFlag.Setting("vasst-log-level")({
    flag: Flag.Literals("log-level", ["error", "warn", "info", "debug", "trace"]).pipe(
      Flag.optional,
      Flag.withDescription("Log what happens on standard error, from this level on (default: no logs)"),
    ),
  }),
  GlobalFlag.Setting("vasst-log-format")({
    flag: Flag.Literals("log-format", formats).pipe(
      Flag.optional,
      Flag.withDescription(
        "json: each line of standard error is a JSON object, complaints too; logs are from level info on, unless --log-level says otherwise",
      ),
    ),
  }),
] as const

/** The lowest level of the messages that are logged, and the form of their lines. */
export interface Settings {
  /** undefined where nothing is logged */
  readonly level: keyof typeof levels | undefined
  readonly format: (typeof formats)[number]
}

const silent: Settings = { level: undefined, format: "text" }

/** How the program that runs logs. */
export const Current = Context.Reference<Settings>("vasst/cli/Logs", { defaultValue: () => silent })

/**
 * The settings that a command line gives, before it is read as a whole: complaints about it are logged, too. Unknown values are left to the
 * flags, which refuse them.
 *
 * @param args the arguments after `vasst`
 * @returns the settings, and the arguments without these flags, which are no part of what a run is
 */
export const asked = (
  args: ReadonlyArray<string>,
): { readonly settings: Settings; readonly rest: ReadonlyArray<string> } => {
  const rest: Array<string> = []
  const found = new Map<string, string>()
  const end = args.indexOf("--")
  const flagged = end < 0 ? args : args.slice(0, end)
  for (let at = 0; at < flagged.length; at++) {
    const word = flagged[at] ?? ""
    const name = options.find((option) => word === option || word.startsWith(`${option}=`))
    if (name === undefined) rest.push(word)
    else found.set(name, word === name ? (flagged[++at] ?? "") : word.slice(name.length + 1))
  }
  const [level, format] = options.map((name) => found.get(name))
  return {
    settings: {
      level: isLevel(level) ? level : format === "json" ? "info" : undefined,
      format: formats.find((one) => one === format) ?? "text",
    },
    rest: [...rest, ...args.slice(flagged.length)],
  }
}

const isLevel = (name: string | undefined): name is keyof typeof levels =>
  name !== undefined && Object.hasOwn(levels, name)

type Fields = Readonly<Record<string, unknown>>

const json = (level: string, message: string, fields: Fields): string => {
  const own = { timestamp: new Date().toISOString(), level, message }
  // A field has no say in what these three are; they stand first.
  return `${JSON.stringify({ ...own, ...fields, ...own })}\n`
}

/** A value as a word of a line. */
const wordOf = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)
}

const text = (level: string, message: string, fields: Fields): string =>
  [
    new Date().toISOString(),
    level.padEnd(5),
    message.replace(/\s*[\r\n]+\s*/g, " "),
    ...Object.entries(fields).map(([name, value]) => `${name}=${wordOf(value)}`),
  ].join(" ") + "\n"

/** The line of a complaint has this in front. */
const complaint = "vasst: "

/** A screen whose lines on standard error are JSON objects; where there are logs, no line is written over. */
const screenOf = (screen: Screen["Service"], { level, format }: Settings): Screen["Service"] => {
  if (level === undefined) return screen
  const columns = { out: screen.columns.out, err: undefined }
  if (format === "text") return { ...screen, columns }
  const notes = level !== "error" && level !== "warn"
  return {
    ...screen,
    columns,
    err: (lines) => {
      for (const line of lines.split("\n")) {
        if (line.startsWith(complaint)) screen.err(json("ERROR", line.slice(complaint.length), {}))
        else if (line !== "" && notes) screen.err(json("INFO", line, {}))
      }
    },
  }
}

/** The logs that are asked for, and the screen beside them. */
export const layer = (settings: Settings): Layer.Layer<Screen, never, Screen> => {
  const { level, format } = settings
  const write = format === "json" ? json : text
  const screen = Layer.effect(
    Screen,
    Effect.map(Screen, (own) => screenOf(own, settings)),
  )
  if (level === undefined) return Layer.merge(screen, Logger.layer([]))
  const logger = Layer.unwrap(
    Effect.map(Screen, ({ err }) =>
      Logger.layer([
        Logger.make(({ logLevel, message, fiber }) => {
          const words: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
          const fields = fiber.getRef(References.CurrentLogAnnotations)
          const shown = Object.entries(fields).map(([name, value]) => [
            name,
            typeof value === "string" ? redacted.text(value) : value,
          ])
          const told = redacted.text(words.map(String).join(" "))
          err(write(logLevel.toUpperCase(), told, Object.fromEntries(shown)))
        }),
      ]),
    ),
  )
  const steps = Layer.effect(
    Watch.Current,
    Effect.gen(function* () {
      const { err } = yield* Screen
      const others = yield* Watch.Current
      return Effect.map(others ?? Effect.succeed(() => undefined), (told): Watch.Told => (some) => {
        told(some)
        err(write("TRACE", "steps", { ...some }))
      })
    }),
  )
  return Layer.mergeAll(
    screen,
    logger,
    Layer.succeed(Current, settings),
    Layer.succeed(References.MinimumLogLevel, levels[level]),
    level === "trace" ? steps : Layer.empty,
  )
}
