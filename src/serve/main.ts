/**
 * The program that other languages talk to: a request on each line of standard input, an answer on a line of standard output. It ends
 * with its input.
 */
import { createInterface } from "node:readline"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { VasstError } from "../promise/VasstError.ts"
import * as Answer from "./Answer.ts"
import { Request } from "./Request.ts"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Request))

/** Writes an object as one line of JSON. */
const say = (line: Readonly<Record<string, unknown>>): void =>
  void process.stdout.write(`${JSON.stringify(line)}\n`)

const complain = (id: number | undefined, thrown: unknown): void => {
  const { tag, message } = VasstError.of(thrown)
  say({ id: id ?? null, error: { tag, message } })
}

/** What ends each fit that runs. */
const running = new Map<number, AbortController>()

const answer = (request: Exclude<Request, { readonly method: "stop" }>): Effect.Effect<unknown, Error> => {
  const { id } = request
  switch (request.method) {
    case "predict":
      return Answer.predict(request)
    case "values":
      return Answer.values(request)
    case "fit": {
      const stop = new AbortController()
      running.set(id, stop)
      return Effect.ensuring(
        Answer.fit(request, stop.signal, (progress) => say({ id, progress })),
        Effect.sync(() => running.delete(id)),
      )
    }
  }
}

/** The number of a request that cannot be read, for the answer to it. */
const idOf = (line: string): number | undefined => {
  const found = /"id": ?(\d+)/.exec(line)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** The message of the schema, in words of the user's: `depth must be of the type number`. */
const typed = (message: string): string =>
  message
    .replaceAll(/\s+/g, " ")
    .replace(/^Expected a valid JSON string$/, "this line is no JSON")
    .replace(
      /^Expected \{ readonly "method": .*$/,
      "this is no request: its method is fit, predict, values or stop, with the fields of that",
    )
    .replace(/^((?:an array|the columns|the share) .*) at \["(?:data|y|errors|bands)"\].*$/, "$1")
    .replace(
      /^Expected (.+?)(?: \| null)? at \["settings"\]\["(\w+)"\](?:\[(.+?)\])?.*$/,
      (_, type: string, name: string, part: string | undefined) =>
        `${name}${part === undefined ? "" : `[${part}]`} must be of the type ${type}`,
    )

const serve = async (line: string): Promise<void> => {
  const read = decode(line)
  if (Result.isFailure(read)) {
    complain(idOf(line), new VasstError("SettingError", typed(read.failure.message)))
    return
  }
  const request = read.success
  if (request.method === "stop") {
    running.get(request.fit)?.abort()
    return
  }
  const exit = await Effect.runPromiseExit(answer(request))
  if (Exit.isSuccess(exit)) say({ id: request.id, result: exit.value })
  else complain(request.id, Cause.squash(exit.cause))
}

// The reader is gone.
process.stdout.on("error", () => process.exit(0))
process.on("uncaughtException", (error) => complain(undefined, error))

const lines = createInterface({ input: process.stdin, terminal: false })
lines.on("line", (line) => void serve(line))
lines.on("close", () => process.exit(0))
