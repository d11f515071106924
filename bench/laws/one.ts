/**
 * The command `vasst fit FILE --target NAME --time SECONDS --seed SEED` in this process, which says in lines of JSON what
 * is the best law when, and the ten best at the end (`Message` of record.ts): `node one.ts FILE NAME SECONDS SEED [GROUP]`.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Fitter } from "../../src/cli/Fitter.ts"
import * as Interrupt from "../../src/cli/Interrupt.ts"
import * as LibraryFitter from "../../src/cli/LibraryFitter.ts"
import { program } from "../../src/cli/Program.ts"
import { Screen } from "../../src/cli/Screen.ts"
import type * as Document from "../../src/report/Document.ts"
import { hitOf, lawIn, type Message } from "./record.ts"

const [file = "", target = "", time = "", seed = "", group] = process.argv.slice(2)
const grouped = group === undefined ? [] : ["--group", group]

const say = (message: Message): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** The best law is looked at after `first` seconds, and again when that took no more than a `share` of the time. */
const looks = { first: 0.1, share: 0.05 }
const started = performance.now()
const elapsed = (): number => (performance.now() - started) / 1000
let next = looks.first
const improvements: Array<{ readonly seconds: number; readonly law: string }> = []

/** The command's own fit, watched. A progress text ends with the law, where there is room. */
const watched = Layer.effect(
  Fitter,
  Effect.map(Fitter, ({ fit }) => ({
    fit: (data, settings, hooks) =>
      fit(data, settings, {
        ...hooks,
        onProgress: ({ text }) => {
          if (elapsed() < next) return
          const began = elapsed()
          const law = lawIn(text(Infinity), target)
          next = elapsed() + (elapsed() - began) / looks.share
          if (law === undefined || law === improvements.at(-1)?.law) return
          improvements.push({ seconds: elapsed(), law })
          say({ improvement: { seconds: elapsed(), law } })
        },
      }),
  })),
).pipe(Layer.provide(LibraryFitter.layer))

let printed = ""
let complaints = ""
const screen = Layer.succeed(Screen, {
  out: (text) => {
    printed += text
  },
  err: (text) => {
    complaints += text
  },
  columns: { out: undefined, err: undefined },
})

const code = await Effect.runPromise(
  program(["fit", file, "--target", target, "--time", time, "--seed", seed, ...grouped, "--json"], {
    version: "bench",
    debug: true,
  }).pipe(Effect.provide(Layer.mergeAll(screen, Interrupt.layer, watched, NodeServices.layer))),
)
if (code !== 0) {
  process.stderr.write(`Error: ${complaints.trim().split("\n").at(-1) ?? "no reason"}\n`, () =>
    process.exit(code),
  )
} else {
  const document: Document.Document = JSON.parse(printed)
  const { user, system } = process.cpuUsage()
  say({
    ending: {
      answers: document.models.slice(0, 10).map(({ sympy, probability, posterior, groups }) => ({
        expression: sympy,
        probability: probability ?? posterior,
        ...(groups !== undefined && {
          numbers: Object.fromEntries(
            groups.numbers.map(({ name, values }) => [name, values.map(({ value }) => value)]),
          ),
        }),
      })),
      seconds: document.seconds ?? Number.NaN,
      cpu: (user + system) / 1e6,
      hit: hitOf(improvements, document.best.expression) ?? elapsed(),
      stop: document.stopReason,
      ...(document.unseen !== null && { says: document.unseen.text }),
    },
  })
  process.stdout.write("", () => process.exit(0))
}
