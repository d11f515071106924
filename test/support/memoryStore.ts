// A store in memory.
import * as Effect from "effect/Effect"
import type { Store } from "../../src/infer/Store.ts"

export const make = () => {
  const kept = new Map<string, Uint8Array>()
  const store: Store = {
    read: Effect.sync(() => ({ latest: new Map(kept), damaged: [] })),
    write: (name, bytes) => Effect.sync(() => void kept.set(name, bytes)),
  }
  return { kept, store }
}
