import * as Effect from "effect/Effect"
import * as Data from "vasst/data/Data"
import { CompileError, DataError } from "vasst/errors/Errors"
import * as Infer from "vasst/infer/Fit"
import * as Law from "vasst/models/law"
import * as Tree from "vasst/prob/Tree"
import * as WebWorkers from "vasst/workers/WebWorkers"
import type { Settings } from "../Settings.ts"
import type { Document } from "vasst/report/Document"
import * as UnitTexts from "../../../src/expr/UnitTexts.ts"
import * as Record from "../../../src/report/Record.ts"
import * as Complete from "../../../src/data/Complete.ts"
import type * as Frame from "../../../src/data/Frame.ts"
import * as Command from "./Command.ts"
import type { Outcome, Progress } from "./Messages.ts"
import * as Outcomes from "./Outcome.ts"
import * as Posterior from "./Posterior.ts"

/** The version of vasst, which the bundler writes. */
declare const VERSION: string

/** A fit, and all that its report is made of. */
export interface Fitted {
  readonly outcome: Outcome
  readonly report: { readonly document: Document; readonly record: () => Record.Record }
}

/** Milliseconds between two numbers of ensembles that the page shows. */
const fluent = 100
/** Of the time of a search, one part in this number goes into posteriors on the way. */
const share = 5
/** Milliseconds after which the ranking of a running search takes the first few laws only. */
const patience = 300

/** The most threads of a search: each holds the library and a copy of the table. */
const most = 4

/** The number of threads; it does not change the result without a limit of time. */
const threads = (): number => Math.max(1, Math.min(most, navigator.hardwareConcurrency))

/** A worker that makes restarts ahead. Searches of more than two seconds have some. */
const helper = (): Worker =>
  new Worker(new URL("./restarts.ts", import.meta.url), { type: "module", name: "vasst restarts" })

/** The units of a table's header, and those of the settings, which have the last word; undefined where there are none. */
const unitsOf = (data: Data.Dataset, settings: Settings) => {
  const known = [...data.features, data.target]
  const own = Object.entries(settings.units).filter(([name]) => known.includes(name))
  const texts = Object.fromEntries(
    Object.entries({ ...data.units, ...Object.fromEntries(own) }).filter(([, unit]) => unit.trim() !== ""),
  )
  return UnitTexts.read(texts)
}

/** Tells the page how far a search is, and of its posterior, often at first and then for a fifth of the time. */
const teller = (tell: (progress: Progress) => void): ((step: Law.Step) => void) => {
  let [objective, told, due, ranked] = [Number.NaN, -Infinity, -Infinity, false]
  return (step) => {
    const now = performance.now()
    const { seconds, scored } = step
    if (step.objective !== objective) {
      objective = step.objective
      ranked = false
    }
    if (!ranked && now >= due) {
      const late = (): boolean => performance.now() - now > patience
      // A ranking waits for nothing. The fit itself meets its errors at the end.
      const ranking = Effect.runSync(Effect.option(step.ranking(late)))
      ranked = true
      told = performance.now()
      due = told + share * (told - now)
      tell({ seconds, scored, posterior: ranking._tag === "Some" ? Posterior.of(ranking.value) : undefined })
    } else if (now - told > fluent) {
      told = now
      tell({ seconds, scored, posterior: undefined })
    }
  }
}

/** Tells the page how many ensembles all searches over groups have scored. */
const counter = (
  tell: (progress: Progress) => void,
): ((step: { readonly seconds: number; readonly search: number; readonly scored: number }) => void) => {
  const scored: Array<number> = []
  let told = -Infinity
  return (step) => {
    scored[step.search] = step.scored
    const now = performance.now()
    if (now - told < fluent) return
    told = now
    tell({ seconds: step.seconds, scored: scored.reduce((sum, one) => sum + one, 0), posterior: undefined })
  }
}

/**
 * Fits laws to a table as the settings say.
 *
 * @param stopped whether the search is to end; the laws found so far are ranked then
 * @errors as of the command line: DataError, UnitError, CompileError, FitError
 */
export const fit = (
  frame: Frame.Frame | undefined,
  file: string,
  settings: Settings,
  stopped: () => boolean,
  tell: (progress: Progress) => void,
) =>
  Effect.gen(function* () {
    const started = performance.now()
    const { target = "", features, error, weights, group, operators, time, effort, seed } = settings
    if (frame === undefined) return yield* new DataError({ message: "there is no table" })
    const besides = [error, weights, group].flatMap((name) => name ?? [])
    const all = [...features, ...besides]
    const complete = Complete.of(frame, { target, features: all, all, besides })
    const data = yield* Data.fromFrame(complete.frame, { target, features: all, group })
    const units = yield* unitsOf(data, settings)
    const spent = (performance.now() - started) / 1000
    const points: Array<readonly [number, number]> = []
    const follow = (progress: Progress): void => {
      const best = progress.posterior?.laws[0]
      if (best !== undefined) points.push([progress.scored, best.logPosterior])
      tell(progress)
    }
    const { noise, contains, without, size } = settings
    const options = {
      operators,
      units,
      restrictions: [
        ...contains.map(Tree.contains),
        ...without.map((name) => Tree.inLaw(Tree.atMostUses(name, 0))),
        ...(size === undefined ? [] : [Tree.inLaw(Tree.atMostNodes(size))]),
      ],
      // A limit of effort gives the same result on every machine; a limit of time beside it would not.
      time: effort === undefined ? time : undefined,
      effort,
      spent,
      workers: threads(),
    }
    const apart = noise ?? error ?? weights
    if (group !== undefined && apart !== undefined)
      return yield* new CompileError({
        message:
          "laws over groups have additive noise and equal rows; leave the noise to the evidence, and errors and weights out",
      })
    const told = teller(follow)
    const shown = yield* (
      group === undefined
        ? Effect.map(Law.fit(data, { ...options, noise, error, weights }, told), (found) =>
            Outcomes.of(found, data),
          )
        : Effect.map(
            // Loaded when a table has groups.
            Effect.flatMap(
              Effect.promise(() => import("../../../src/models/groupLaw.ts")),
              (GroupLaw) => GroupLaw.fit(data, { ...options, group }, counter(tell)),
            ),
            (found) => Outcomes.ofGroups(found, data, group),
          )
    ).pipe(
      WebWorkers.provide(helper),
      Effect.provideService(Infer.Seed, seed),
      Effect.provideService(Infer.Interrupt, { requested: stopped }),
    )
    const { document } = shown
    const left = Complete.lines(complete)
    const outcome = { ...shown.outcome, ended: [...left, ...shown.outcome.ended] }
    const record = (): Record.Record =>
      Record.make(
        {
          program: VERSION,
          command: Command.of(file, settings),
          name: file,
          data,
          testFraction: 0,
          roles: Record.rolesOf({ error, weights, group }),
          group,
          left,
          units: { ...data.units, ...settings.units },
          // Searches over groups have no posterior on the way.
          trace:
            group === undefined
              ? { along: "ensembles scored", objective: "log posterior", points }
              : undefined,
        },
        document,
      )
    return { outcome, report: { document, record } } satisfies Fitted
  })
