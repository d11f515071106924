// What statements and expressions of the WebAssembly builder mean, over int32: an interpreter that shares nothing, hoists
// nothing and keeps nothing.
import { type Expr, type Local } from "../../src/wasm/Expr.ts"
import type { Func, Statement } from "../../src/wasm/Func.ts"
import type { Operation } from "../../src/wasm/Opcode.ts"

type Binary = (a: number, b: number) => number

/** The operations of random programs. */
export const operations = {
  "i32.add": (a, b) => a + b,
  "i32.sub": (a, b) => a - b,
  "i32.mul": Math.imul,
  "i32.and": (a, b) => a & b,
  "i32.xor": (a, b) => a ^ b,
  "i32.shl": (a, b) => a << b,
  "i32.shr_u": (a, b) => a >>> b,
  "i32.lt_s": (a, b) => Number(a < b),
  "i32.eq": (a, b) => Number(a === b),
} as const satisfies Partial<Record<Operation, Binary>>

const meaning = (operation: Operation): Binary => {
  const found: Partial<Record<Operation, Binary>> = operations
  const known = found[operation]
  if (known === undefined) throw new Error(`${operation} is none of random programs`)
  return known
}

/** Memory in words, and functions of the host by name. */
export interface World {
  readonly memory: Int32Array
  readonly host: Readonly<Record<string, (...args: ReadonlyArray<number>) => number>>
}

/** Runs a function; what it returns, or 0 for a procedure. */
export const invoke = (world: World, func: Func, args: ReadonlyArray<number>): number => {
  if (func._tag === "Host") return world.host[func.name]!(...args) | 0
  const variables = new Map<Local, number>(func.params.map((param, i) => [param, args[i]! | 0]))

  const value = (x: Expr): number => {
    switch (x._tag) {
      case "Const":
        return new Int32Array(Uint8Array.from(x.bytes).buffer)[0]!
      case "Get":
        return variables.get(x.local) ?? 0
      case "Load":
        return world.memory[(value(x.address) + x.offset) / 4]!
      case "Apply": {
        const [a, b] = x.args.map(value)
        return meaning(x.operation)(a!, b!) | 0
      }
      case "Result":
        return invoke(world, x.func, x.args.map(value))
      case "Unless":
        return value(x.condition) === 0 ? value(x.value) : value(x.instead)
      case "Immediate":
        throw new Error("random programs have no vectors")
    }
  }
  const run = (statements: ReadonlyArray<Statement>): void => statements.forEach(step)
  const step = (s: Statement): void => {
    switch (s._tag) {
      case "Set":
        return void variables.set(s.local, value(s.value))
      case "Store":
        return void (world.memory[(value(s.address) + s.offset) / 4] = value(s.value))
      case "Call":
        return void invoke(world, s.func, s.args.map(value))
      case "Repeat":
        do run(s.body)
        while (value(s.again) !== 0)
        return
      case "If":
        return run(value(s.condition) === 0 ? s.otherwise : s.body)
      case "Switch":
        return run(s.cases[value(s.index) >>> 0] ?? [])
    }
  }
  run(func.body)
  return func.value === undefined ? 0 : value(func.value)
}
