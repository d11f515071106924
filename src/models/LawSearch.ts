import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import type { Algorithm, Info } from "../infer/Algorithm.ts"
import * as Fit from "../infer/Fit.ts"
import type * as Stop from "../infer/Stop.ts"
import type { Model } from "../prob/Model.ts"
import * as Plan from "../prob/Plan.ts"
import type { Searched } from "../rank/Searched.ts"
import * as Search from "../search/Search.ts"
import type * as SearchSettings from "../search/Settings.ts"
import * as FormulaTrees from "./FormulaTrees.ts"
import * as Threads from "./Threads.ts"

/** Hears of a step and of the state after it. */
export type Tell<S, I extends Info> = (info: Fit.Step<I>, state: Fit.State<S>) => void

/** An algorithm, and what takes its steps. */
export interface Driven<S, I extends Info> {
  readonly algorithm: Algorithm<S, I, Searched>
  readonly drive: (tell: Tell<S, I>) => Effect.Effect<{ readonly state: Fit.State<S> }, never, Stop.Stop>
}

export interface Settings extends Threads.Settings {
  /** a formula that the search begins with: its terms are among the first to be improved; numbers that are no column are fitted */
  readonly start?: string | undefined
  readonly search?: Partial<SearchSettings.Settings> | undefined
}

/**
 * The search of a law's program over data, by as many threads as the options say.
 *
 * @param options those of `Law.fit` that the program was made of, which the threads make it of
 */
export const make = <A, R>(
  program: Model<A, R>,
  data: Dataset,
  options: Settings,
): Effect.Effect<Driven<Search.State, Search.Info>, CompileError> =>
  Effect.gen(function* () {
    const plan = yield* Plan.declared(program)
    const begin = yield* FormulaTrees.begun(plan, data, options.start)
    const algorithm = yield* Search.make(plan, data, { begin, ...options.search })
    const help = Threads.of(options, data)
    return {
      algorithm,
      drive: (tell: Tell<Search.State, Search.Info>) => Threads.last(algorithm, help, tell),
    }
  })

export const posterior = <S, I extends Info>(
  { algorithm, drive }: Driven<S, I>,
  rules: Layer.Layer<Stop.Stop>,
  tell: Tell<S, I>,
): Effect.Effect<Fit.Fitted<Searched>> =>
  Effect.gen(function* () {
    const { state } = yield* Effect.provide(drive(tell), rules)
    return Fit.summarise(algorithm, state, yield* Fit.Seed)
  })
