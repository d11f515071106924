import * as Effect from "effect/Effect"
import { DistError } from "../prob/dist/DistError.ts"
import { GrammarError } from "../prob/Grammar.ts"
import { LikelihoodError } from "../evidence/Likelihood.ts"
import { LinkError } from "../prob/Link.ts"
import { SettingError } from "../errors/Setting.ts"
import { CompileError, UnitError } from "../errors/Errors.ts"

const kinds = [DistError, GrammarError, LikelihoodError, LinkError, SettingError, UnitError]

/**
 * Turns errors that a declaration throws into failures of an effect with a `CompileError`: its options make no model.
 */
export const orFail = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | CompileError, R> =>
  Effect.catchDefect(effect, (defect) => {
    const declared = kinds.some((kind) => defect instanceof kind)
    return declared && defect instanceof Error
      ? Effect.fail(new CompileError({ message: defect.message }))
      : Effect.die(defect)
  })
