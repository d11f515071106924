import { pow } from "../numeric/Power.ts"
import * as Real from "../numeric/Real.ts"

/** WebAssembly as far as it is used here: its types come with browsers' type libraries, which Node does not load. */
interface Machine {
  readonly validate: (bytes: Uint8Array<ArrayBuffer>) => boolean
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, Function>> }
  readonly Memory: new (limits: {
    readonly initial: number
    readonly maximum?: number
    readonly shared?: boolean
  }) => object
}

/** The memory of a module, in pages of 64 KiB. */
export interface Memory {
  readonly buffer: ArrayBuffer
  readonly grow: (pages: number) => number
}

export const pageBytes = 65_536

/** The WebAssembly features of this machine; undefined without WebAssembly. */
export const machine = (): Machine | undefined =>
  // Its shape is fixed by the standard (https://webassembly.github.io/spec/js-api), so that the cast cannot lie.
  Reflect.get(globalThis, "WebAssembly") as Machine | undefined

/** The functions of the host that any kernel may import; see `math/`. */
const functions = {
  sin: Real.sin,
  cos: Real.cos,
  tan: Real.tan,
  asin: Real.asin,
  acos: Real.acos,
  atan: Real.atan,
  pow,
}

/**
 * An instance of a module over a memory of its own.
 *
 * @param host more functions that the module asks of the host, by their names
 * @throws Error where there is no WebAssembly
 */
export const instantiate = (
  bytes: Uint8Array<ArrayBuffer>,
  memoryBytes: number,
  host: Readonly<Record<string, (...args: ReadonlyArray<number>) => void>> = {},
): { readonly memory: Memory; readonly call: (name: string, ...args: ReadonlyArray<number>) => void } => {
  const found = machine()
  if (found === undefined) throw new Error("this machine has no WebAssembly")
  // Not shared, so that its buffer is an ordinary one.
  const memory = new found.Memory({ initial: Math.ceil(memoryBytes / pageBytes) }) as Memory
  const { exports } = new found.Instance(new found.Module(bytes), {
    env: { memory },
    host: { ...functions, ...host },
  })
  return {
    memory,
    call: (name, ...args) => {
      exports[name]!(...args)
    },
  }
}
