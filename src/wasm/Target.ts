import { machine } from "./Machine.ts"

/** The WebAssembly features of the machine that runs a kernel. */
export interface Target {
  /** relaxed multiply-add: one rounding where the processor has a fused one (x86 since 2013, ARM64) */
  readonly fma: boolean
}

// (module (func (result v128) ...)): the least module that uses an instruction.
const moduleOf = (...code: ReadonlyArray<number>): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...head, 10, code.length + 4, 1, code.length + 2, 0, ...code, 0x0b])

// The magic number and version, a type section and a function section.
const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0]

const zero = [0x41, 0, 0xfd, 17]

/** The features of this machine; undefined without SIMD. */
export const detect = (): Target | undefined => {
  const found = machine()
  if (found === undefined || !found.validate(moduleOf(...zero))) return undefined
  return { fma: found.validate(moduleOf(...zero, ...zero, ...zero, 0xfd, 0x85, 0x02)) }
}
