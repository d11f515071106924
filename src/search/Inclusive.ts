import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Plan } from "../prob/Plan.ts"
import * as Data from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import type { Archive, Archived } from "../infer/Archive.ts"
import * as Session from "./Session.ts"

/** As many rows by chance, or all if they are no more. */
const some = (data: Data.Dataset, rows: number, key: Rng.Key): Data.Dataset => {
  if (data.rows <= rows) return data
  const order = Rng.uniform(key, new Float64Array(data.rows))
  const chosen = Array.from(order.keys())
    .sort((a, b) => order[a]! - order[b]!)
    .slice(0, rows)
    .sort((a, b) => a - b)
  return Data.rowsOf(data, chosen)
}

const isConstant = (y: Float64Array): boolean => y.every((value) => value === y[0])

/** Pieces of work after which a search looks whether its rows say enough, and again after twice as many, and so on. */
const first = 24

/**
 * What the rows of a search are to say: the log likelihood ratio, in nats, of the best ensemble on them against the
 * constant. Where noise is most of y, expressions differ by little on each row, and on few rows others than the law
 * follow the noise as well as the law does the signal. `enough` nats keep them apart, less than `little` do not.
 */
const enough = 1000
const little = 300
/** No search looks at more rows than so many times those that it was set. */
const widest = 16

/**
 * How many rows a search should look at in place of those that it has, with 1/2 log(1 / unexplained) nats on each;
 * undefined where those say enough.
 */
export const wanted = (rows: number, unexplained: number): number | undefined => {
  const each = -0.5 * Math.log(unexplained)
  return rows * each < little
    ? Math.max(2 * rows, Math.ceil(enough / Math.max(each, Number.MIN_VALUE)))
    : undefined
}

/**
 * Prepares the search of a model's ensembles over data: over `settings.rows` rows, drawn by chance, and over more once
 * these prove to say too little.
 *
 * Fails with a `CompileError` when the data lack a feature, the weights of the tree prior cannot be integrated out, a
 * factor of the family cannot be moved (`Projection.make`), or the machine has no WebAssembly SIMD.
 *
 * @param initial the parameters that the family starts from
 */
export const prepare = (
  plan: Plan,
  all: Data.Dataset,
  settings: Session.Settings,
  initial: Float64Array,
  key: Rng.Key,
): Effect.Effect<Session.Session, CompileError> =>
  Effect.gen(function* () {
    const [valued] = plan.likelihood.forest.values ?? []
    if (valued !== undefined)
      return yield* new CompileError({
        message: `the site "${valued.site}" has the values of a learned constant, which a search over hard trees has no use for; fit with Objective.elbo, or observe Likelihood.selectedLinear`,
      })
    const rowsKey = Rng.fold(key, "rows")
    const over = (rows: number, known: ReadonlyArray<Archived> = []) => {
      const data = some(all, rows, rowsKey)
      return Session.over(plan, data, all, settings, initial, key, known)
    }
    let most = Math.min(all.rows, widest * settings.rows)
    const few = Math.min(settings.rows, all.rows)
    // Of a target that is the same on all rows chosen nothing can be learned from these.
    let rows = isConstant(some(all, few, rowsKey).y) ? most : few
    let session = yield* over(rows)
    /** the session before, while this one has nothing to show */
    let before: Session.Sitting | undefined
    let look = first
    /** what is known from fewer rows, and how many ensembles were scored on them */
    let known: ReadonlyArray<Archived> = []
    let scored = 0
    let last = { best: -Infinity, logEvidence: -Infinity }
    const widen = (): void => {
      look *= 2
      const share = session.unexplained()
      const more = session.misled() ? most : share === undefined ? rows : (wanted(rows, share) ?? rows)
      if (more <= rows) return
      const found = archive.ensembles()
      const wider = Effect.runSync(Effect.option(over(Math.min(most, more), found)))
      if (Option.isNone(wider)) {
        // What can be prepared on some rows can be on more, unless these do not fit into memory.
        most = rows
        return
      }
      rows = Math.min(most, more)
      known = found
      scored += session.archive.scored()
      look = first
      before = session
      session = wider.value
    }
    const archive: Archive = {
      scored: () => scored + session.archive.scored(),
      ensembles: () => {
        const own = session.archive.ensembles()
        return own.length === 0 ? known : own.map((one) => ({ ...one, found: scored + one.found }))
      },
    }
    return {
      archive,
      advance: (parameters) => {
        const state = session.advance(parameters)
        // A session that has just begun has nothing to show yet.
        if (state.best > -Infinity) {
          last = state
          before = undefined
        }
        if (!state.settled && rows < most && session.work() >= look) widen()
        return { ...state, best: last.best, logEvidence: last.logEvidence }
      },
      settle: (parameters) => (before ?? session).settle(parameters),
    }
  })
