import { exp } from "./double/exp.ts"
import { inPlace } from "./Doubles.ts"
import * as Target from "./Target.ts"
import * as Machine from "./Machine.ts"
import { assemble } from "./Module.ts"

/**
 * Exponentials in WebAssembly SIMD, two float64 at a time.
 *
 * @param length how many values there is room for
 * @returns undefined where there is no WebAssembly SIMD
 */
export const exponentials = (
  length: number,
): { readonly values: Float64Array; readonly apply: (count: number) => void } | undefined => {
  if (Target.detect() === undefined) return undefined
  const apply = inPlace("exponentials", exp)
  const { memory, call } = Machine.instantiate(
    assemble({ exports: { apply }, memory: { shared: false } }),
    8 * (length + 1),
  )
  return { values: new Float64Array(memory.buffer, 0, length), apply: (n) => call("apply", n) }
}
