import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Data from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Fit from "../infer/Fit.ts"
import type { Stop } from "../infer/Stop.ts"
import type { Model } from "../prob/Model.ts"
import * as Plan from "../prob/Plan.ts"
import * as Rng from "../random/Rng.ts"
import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import * as Pasts from "./Past.ts"
import * as Responses from "./Responses.ts"
import * as RestartAgreement from "./RestartAgreement.ts"
import * as Rows from "./Rows.ts"
import * as RowSearch from "./RowSearch.ts"
import * as Settings from "./Settings.ts"
import * as States from "./State.ts"
import type { Found, State } from "./State.ts"

import type { Info, Posterior, Search, Start } from "./SearchAlgorithm.ts"

export type { Info, Posterior, Search, Start } from "./SearchAlgorithm.ts"
export type { State } from "./State.ts"

/**
 * The search over the hard ensembles of a model: local search size by size, on working responses, over some of the rows, with
 * restarts (docs/adr/0012). Coefficients are integrated out; ensembles are scored by evidence and prior.
 *
 * Fails with a `CompileError` when the data lack a feature, the weights of the tree prior cannot be integrated out, the model has
 * sites for the values of fitted constants, or the machine has no WebAssembly SIMD.
 *
 * *When to use*: to find the law. Gradient ascent over relaxed trees (`vi/Infer`) is the paper's method.
 *
 * @param start the restart that is prepared, for a search that another thread makes ahead; the first if left out
 */
export const make = (
  plan: Plan.Declared,
  all: Data.Dataset,
  chosen: Partial<Settings.Settings> = {},
  start?: Start,
): Effect.Effect<Search, CompileError> =>
  Effect.gen(function* () {
    const settings = Settings.make(chosen)
    const [valued] = plan.likelihood.forest.values ?? []
    if (valued !== undefined)
      return yield* new CompileError({
        message: `the site "${valued.site}" has the values of a fitted constant, which a search over hard trees has no use for; fit by gradient ascent (vi/Infer), or observe Likelihood.selectedLinear`,
      })
    let latest: { readonly rows: number; readonly key: Rng.Key; readonly data: Data.Dataset } | undefined
    /** Rows by chance; the latest are remembered. */
    const rowsOf = (rows: number, key: Rng.Key): Data.Dataset => {
      if (latest?.rows !== rows || latest.key.high !== key.high || latest.key.low !== key.low)
        latest = { rows, key, data: Rows.some(all, rows, Rng.fold(key, "rows")) }
      return latest.data
    }
    const over = ({ rows, key, core, known }: State): Effect.Effect<RowSearch.RowSearch, CompileError> =>
      RowSearch.make(plan, rowsOf(rows, key), all, settings, key, core, known)

    /** The state of a search that knows nothing of a sample. Its responses were computed before, so that they cannot fail now. */
    const nothing = (rows: number, key: Rng.Key, restart: number, again = false): States.Core =>
      States.nothing(
        Effect.runSync(Effect.orDie(Responses.count(plan, rowsOf(rows, key)))),
        settings.moves,
        Rng.fold(key, "moves"),
        restart,
        again,
      )
    const few = Math.min(settings.rows, all.rows)
    const many = Math.min(all.rows, Rows.widest * settings.rows)
    const stateAt = (key: Rng.Key, { restart, rows }: Start): State => ({
      key,
      restart,
      past: States.unbegun,
      taken: 0,
      rows,
      most: many,
      look: Rows.firstLook,
      known: [],
      scored: 0,
      best: -Infinity,
      logEvidence: -Infinity,
      core: nothing(rows, key, restart),
    })
    const first = (key: Rng.Key): State =>
      // Of a target that is the same on all rows chosen nothing can be learned from these.
      stateAt(key, start ?? { restart: 0, rows: Data.isConstant(rowsOf(few, key).y) ? many : few })
    const seed = Rng.key(yield* Fit.Seed)
    // The first state takes the columns and the response for granted, and that there is a fit on its rows.
    yield* Responses.check(plan, all)
    yield* Responses.count(plan, rowsOf(few, seed))
    // Everything that is wrong with a model and its data is wrong with the first state: no step fails for it.
    let prepared: State | undefined = first(seed)
    /** The search of the latest core, ready to go on: a cache of what follows from its state. */
    let ready: { readonly core: States.Core; readonly search: RowSearch.RowSearch } = {
      core: prepared.core,
      search: yield* over(prepared),
    }
    const init: Search["init"] = (key) => {
      const own = prepared?.key.high === key.high && prepared.key.low === key.low ? prepared : first(key)
      prepared = undefined
      // A search that is made puts the terminals and constants of its space into the state: the first state has them as later ones do.
      searchOf(own)
      return own
    }
    const before: Search["before"] = (key, begin) => {
      const own = prepared
      const same = own?.key.high === key.high && own.key.low === key.low
      if (!same || own.restart !== begin.restart || own.rows !== begin.rows) return stateAt(key, begin)
      prepared = undefined
      return own
    }
    const searchOf = (state: State): RowSearch.RowSearch => {
      if (state.taken !== state.core.taken)
        throw new Error(
          "a step was taken from this state of a search, which owns its arrays now; step from Checkpoint.copy of a state to keep it",
        )
      if (ready.core !== state.core)
        ready = { core: state.core, search: Effect.runSync(Effect.orDie(over(state))) }
      return ready.search
    }

    /** The search of a state, at its restart. */
    const begun = (state: State): RowSearch.RowSearch => {
      const search = searchOf(state)
      if (state.core.restart !== state.restart) search.begin(state.restart)
      return search
    }

    /** A state over more rows, where those that it has say too little. */
    const widened = (state: State, search: RowSearch.RowSearch): State => {
      const { rows, most, key, scored } = state
      const look = 2 * state.look
      const share = search.unexplained()
      const more = search.misled() ? most : share === undefined ? rows : (Rows.wanted(rows, share) ?? rows)
      if (more <= rows) return { ...state, look }
      const wider = Math.min(most, more)
      const next: State = {
        ...state,
        rows: wider,
        taken: 0,
        look: Rows.firstLook,
        known: ensemblesOf(state, search),
        scored: scored + search.scored(),
        core: nothing(wider, key, state.restart),
      }
      const made = Effect.runSync(Effect.option(over(next)))
      // A search that can be made of some rows can be made of more, unless these do not fit into memory.
      if (Option.isNone(made)) return { ...state, look, most: rows }
      ready = { core: next.core, search: made.value }
      return next
    }

    /** The ensembles of the present restart, found after as many as were scored in it. */
    const ensemblesOf = ({ known, scored }: State, search: RowSearch.RowSearch): ReadonlyArray<Found> => {
      const own = search.ensembles()
      // The best of a library that is not full is less than the ensembles found on fewer rows.
      const early = own.length === 0 || (known.length > 0 && search.growing())
      return early ? known : own.map((one) => ({ ...one, found: scored + one.found }))
    }

    const outcome: Search["outcome"] = (state) => {
      const search = searchOf(state)
      const ensembles = ensemblesOf(state, search)
      const { rows, most, best, logEvidence, scored } = state
      return {
        ensembles,
        scored: scored + search.scored(),
        best,
        logEvidence,
        form: search.settled() ? Pasts.formOf(ensembles[0]) : "",
        exact: search.exact(),
        exhausted: ExpressionLibrary.exhausted(state.core.library),
        rows,
        most,
      }
    }
    const after: Search["after"] = (state, ended) => {
      const past = Pasts.ended(state.past, ended)
      const enough = past.agreeing >= RestartAgreement.needed
      const converged = ended.exact || !settings.restarts || enough
      return [
        {
          ...state,
          restart: state.restart + 1,
          past: converged ? past : Pasts.lasting(past),
          ...(ended.rows !== state.rows && {
            core: nothing(ended.rows, state.key, state.restart + 1, true),
            taken: 0,
          }),
          rows: ended.rows,
          most: ended.most,
          look: Rows.firstLook,
          known: [],
          scored: 0,
          best: -Infinity,
          logEvidence: -Infinity,
        },
        converged,
      ]
    }

    const step: Search["step"] = (from) => {
      const search = begun(from)
      const counted = from.core.again && search.growing()
      const ended = search.step()
      const { rows, most, look, core } = from
      const { score, logEvidence } = search.best() ?? { score: from.best, logEvidence: from.logEvidence }
      const state: State = { ...from, taken: ++core.taken, best: score, logEvidence }
      const wide = !ended && rows < most && core.steps >= look
      const own = wide ? widened(state, search) : state
      const leads = own.best > own.past.best
      const info = {
        objective: leads ? own.best : own.past.best,
        logEvidence: leads ? own.logEvidence : own.past.logEvidence,
        scored: own.past.scored + state.scored + search.scored(),
        rows: own.rows,
        ...((core.unfinished || counted) && { unfinished: true }),
      }
      // A search without restarts stays where it has ended.
      if (!ended || !settings.restarts) return [own, { ...info, converged: ended }]
      const [next, converged] = after(state, outcome(state))
      return [next, { ...info, converged }]
    }
    return {
      most: many,
      init,
      step,
      before,
      outcome,
      after,
      joined: (state, outcomes) => ({ ...state, past: outcomes.reduce(Pasts.join, state.past) }),
      posterior: (state) => {
        const { past, core, restart } = state
        if (core.restart !== restart) return { plan, archive: Pasts.archive(past) }
        const search = searchOf(state)
        const scored = state.scored + search.scored()
        const joined = Pasts.join(past, { ensembles: ensemblesOf(state, search), scored })
        const exhausted = Math.max(past.exhausted, ExpressionLibrary.exhausted(core.library))
        return { plan, archive: Pasts.archive({ ...joined, exhausted }) }
      },
    }
  })

/** The search of a model, `make` of its declaration. It asks for no family: it integrates or enumerates all sites itself. */
export const algorithm = <A, R>(
  model: Model<A, R>,
  data: Data.Dataset,
  settings: Partial<Settings.Settings> = {},
  start?: Start,
): Effect.Effect<Search, CompileError> =>
  Effect.flatMap(Plan.declared(model), (plan) => make(plan, data, settings, start))

/** A finished search, and how it went. */
export type Fitted = Fit.Fitted<Posterior>
/** What a step of a search reports, and where in the fit it was. */
export type Step = Fit.Step<Info>

/**
 * Searches until a rule of `Stop` gives a reason, or the search has converged: two restarts have ended at the same score, or some
 * steps after an exact fit.
 *
 * @param onStep is told of every step
 *
 * @example
 * const found = yield* Search.fit(model, data).pipe(Effect.provide(Stop.layer({ rules: [Stop.afterSeconds(10)] })))
 * const ranking = yield* Rank.fromPosterior({ train: data, draws: 0 })(found)
 */
export const fit = <A, R>(
  model: Model<A, R>,
  data: Data.Dataset,
  settings: Partial<Settings.Settings> = {},
  onStep: (info: Step) => void = () => undefined,
): Effect.Effect<Fitted, CompileError, Stop> =>
  Effect.flatMap(algorithm(model, data, settings), (search) => Fit.fit(search, onStep))

/** A running search: its algorithm, its seed, and the stream of its steps. */
export type Running = Fit.Running<State, Info, Posterior>

/**
 * The same as a stream of steps (`Fit.run`), which may be left early.
 *
 * @param from a state to go on from, as `Checkpoint.read` gives it
 */
export const run = <A, R>(
  model: Model<A, R>,
  data: Data.Dataset,
  settings: Partial<Settings.Settings> = {},
  from?: Fit.State<State>,
): Effect.Effect<Running, CompileError, Stop> =>
  Effect.flatMap(algorithm(model, data, settings), (search) => Fit.run(search, from))
