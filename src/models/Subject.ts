/** What a fit is about, as a short text: the states of one fit are of no use for another. */
import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"

/** Settings of the time and the threads of a fit, which do not change the meaning of its states. */
const circumstances = new Set(["time", "spent", "effort", "steps", "rules", "workers"])

/** Functions, such as those of a user's move, by their texts. */
const plain = (name: string, value: unknown): unknown =>
  circumstances.has(name)
    ? undefined
    : typeof value === "function"
      ? String(value)
      : value instanceof Map || value instanceof Set
        ? [...value]
        : value

/** The SHA-256 of the seed, the data and the settings of a fit, but for its limits. */
export const of = (seed: number, data: Dataset, options: object): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { features, target, columns, y, texts = {} } = data
    const text = new TextEncoder().encode(JSON.stringify([seed, features, target, texts, options], plain))
    const parts = [text, ...[...columns, y].map((column) => new Uint8Array(Float64Array.from(column).buffer))]
    const all = await new Blob(parts).arrayBuffer()
    const digest = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", all))
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
  })
