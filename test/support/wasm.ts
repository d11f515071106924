// Modules of the WebAssembly builder, run: one function over one memory, with host functions of the test's own.
import * as X from "../../src/wasm/Expr.ts"
import type { Defined, Statement } from "../../src/wasm/Func.ts"
import { assemble } from "../../src/wasm/Module.ts"
import type { ValueType } from "../../src/wasm/Opcode.ts"

/** The one export of a test's module. */
export const entry = "run"

interface Api {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, Function>> }
  readonly Memory: new (limits: object) => { readonly buffer: ArrayBuffer }
}

export interface Running {
  readonly memory: ArrayBuffer
  readonly run: (...args: ReadonlyArray<number>) => number
}

/** Compiles a function and what it calls. Memory is two pages, or three of shared memory. */
export const start = (
  func: Defined,
  host: Readonly<Record<string, (...args: ReadonlyArray<number>) => number>> = {},
  shared = false,
): Running => {
  // Types of WebAssembly come with browsers' libraries, which tests do not load either.
  const api = Reflect.get(globalThis, "WebAssembly") as Api
  const memory = new api.Memory(shared ? { initial: 3, maximum: 32_768, shared } : { initial: 2 })
  const module = new api.Module(assemble({ exports: { [entry]: func }, memory: { shared } }))
  const run = new api.Instance(module, { env: { memory }, host }).exports[entry]!
  return { memory: memory.buffer, run: (...args) => Number(run(...args)) }
}

/** What lies at a fixed address. */
export const read = (type: ValueType, at: number): X.Expr => X.load(`${type}.load`, X.i32(0), at)
/** Leaves a value at a fixed address. */
export const write = (value: X.Expr, at: number): Statement => ({
  _tag: "Store",
  operation: `${value.type}.store`,
  address: X.i32(0),
  offset: at,
  value,
})
