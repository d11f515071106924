import * as Effect from "effect/Effect"
import { DistError } from "../declare/dist/DistError.ts"
import { GrammarError } from "../declare/Grammar.ts"
import { LikelihoodError } from "../declare/Likelihood.ts"
import { LinkError } from "../declare/Link.ts"
import { SettingError } from "../declare/Setting.ts"
import { CompileError } from "../runtime/Errors.ts"

const kinds = [DistError, GrammarError, LikelihoodError, LinkError, SettingError]

/**
 * What is thrown where a program is declared is an error of an effect that declares it from its options: they do not
 * make a model.
 */
export const orFail = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | CompileError, R> =>
  Effect.catchDefect(effect, (defect) => {
    const declared = kinds.some((kind) => defect instanceof kind)
    return declared && defect instanceof Error
      ? Effect.fail(new CompileError({ message: defect.message }))
      : Effect.die(defect)
  })
