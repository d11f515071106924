import * as Effect from "effect/Effect"
import { UnitError } from "../errors/Errors.ts"
import type { Units } from "./Unit.ts"

/**
 * The units of columns from their texts by name; undefined where there are none. The parser is loaded where there are some, so that
 * everything else starts at once.
 *
 * @param options as of `Units.of`
 */
export const read = (
  texts: Readonly<Record<string, string>>,
  options?: { readonly numbers?: Units["numbers"] | undefined },
): Effect.Effect<Units | undefined, UnitError> =>
  Object.keys(texts).length === 0
    ? Effect.succeed(undefined)
    : Effect.flatMap(
        Effect.promise(() => import("./Units.ts")),
        (library) =>
          Effect.try({
            try: () => library.of(texts, options),
            catch: (error) => {
              if (error instanceof UnitError) return error
              throw error
            },
          }),
      )
