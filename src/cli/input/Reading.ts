import * as Effect from "effect/Effect"
import { DataError } from "../../errors/Errors.ts"
import * as Memory from "./Memory.ts"

/** What a reader threw, as a part of a sentence; nothing where a check of the engine stopped it, and not its own. */
const reason = (error: unknown): string => {
  const text = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim()
  const own =
    !(error instanceof TypeError) &&
    !/undefined|NaN|\[object|DataView|is not|Invalid (typed )?array/.test(text)
  return own && text !== "" ? `: ${text.slice(0, 200)}` : ""
}

/**
 * Runs a reader of a binary format, which throws on a broken file.
 *
 * @errors DataError that names the format
 */
export const attempt = <A>(format: string, read: () => Promise<A>): Effect.Effect<A, DataError> =>
  Effect.tryPromise({
    try: read,
    catch: (error) =>
      new DataError({
        message:
          error instanceof Memory.TooLarge
            ? error.message
            : `this ${format} file is broken or cut off${reason(error)}`,
      }),
  })
