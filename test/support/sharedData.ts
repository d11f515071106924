// Data sets in memory that threads share, with or without modules that may have two memories.
import { vi } from "vitest"
import type { Dataset } from "../../src/data/Data.ts"
import * as Rng from "../../src/random/Rng.ts"
import * as SharedData from "../../src/data/SharedData.ts"

export const dataOf = (rows: number, features: ReadonlyArray<string> = ["a", "b", "c"]): Dataset => ({
  features,
  columns: features.map((_, j) => Rng.normal(Rng.key(j + 1), new Float64Array(rows))),
  target: "y",
  y: Rng.normal(Rng.key(100), new Float64Array(rows)),
  rows,
})

/** The part of WebAssembly that says what modules may have. */
interface Validator {
  readonly validate: (bytes: Uint8Array) => boolean
}

/** Shares a data set as on a machine whose modules have one memory, or as on this one. */
export const shareWith = (data: Dataset, memories: "one memory" | "two memories"): SharedData.Shared => {
  if (memories === "two memories") return SharedData.share(data)
  const spy = vi.spyOn(Reflect.get(globalThis, "WebAssembly") as Validator, "validate").mockReturnValue(false)
  try {
    return SharedData.share(data)
  } finally {
    spy.mockRestore()
  }
}
