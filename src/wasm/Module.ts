import { children, type Expr } from "./Expr.ts"
import * as Emit from "./Emit.ts"
import type { Defined, Func, Host, Statement } from "./Func.ts"
import { typeByte, unsigned } from "./Opcode.ts"

/** The parts of a module. Functions that exported functions call are added. */
export interface Description {
  /** functions by the names that they are exported under */
  readonly exports: Readonly<Record<string, Defined>>
  /** whether the memory that is imported is shared between threads; it then has a maximum */
  readonly memory: { readonly shared: boolean }
}

const called = (func: Func): ReadonlyArray<Func> => {
  if (func._tag === "Host") return []
  const found = new Set<Func>()
  const seen = new Set<Expr>()
  const expression = (x: Expr): void => {
    if (seen.has(x)) return
    seen.add(x)
    if (x._tag === "Result") found.add(x.func)
    children(x).forEach(expression)
  }
  const statement = (s: Statement): void => {
    switch (s._tag) {
      case "Set":
        return expression(s.value)
      case "Store":
        expression(s.address)
        return expression(s.value)
      case "Call":
        found.add(s.func)
        return s.args.forEach(expression)
      case "Repeat":
        s.body.forEach(statement)
        return expression(s.again)
      case "If":
        expression(s.condition)
        s.body.forEach(statement)
        return s.otherwise.forEach(statement)
      case "Switch":
        expression(s.index)
        return s.cases.forEach((body) => body.forEach(statement))
    }
  }
  func.body.forEach(statement)
  if (func.value !== undefined) expression(func.value)
  return [...found]
}

/** Parts one after the other. A module has some 100,000 bytes: spreading them would take longer than making them. */
const joined = (parts: ReadonlyArray<ArrayLike<number>>): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let end = 0
  for (const part of parts) {
    bytes.set(part, end)
    end += part.length
  }
  return bytes
}

const section = (id: number, items: ReadonlyArray<ReadonlyArray<number>>): ArrayLike<number> => {
  const content = joined([unsigned(items.length), ...items])
  return joined([[id], unsigned(content.length), content])
}

const text = (value: string): ReadonlyArray<number> => {
  const bytes = [...new TextEncoder().encode(value)]
  return [...unsigned(bytes.length), ...bytes]
}

/** The most pages that a shared memory may grow to: 2 GiB. */
export const maximumPages = 32_768

/**
 * The binary of a module. It imports `env.memory` and, from `host`, the host functions that it calls.
 */
export const assemble = ({ exports, memory }: Description): Uint8Array<ArrayBuffer> => {
  const functions = new Set<Func>()
  const reach = (func: Func): void => {
    if (functions.has(func)) return
    functions.add(func)
    called(func).forEach(reach)
  }
  Object.values(exports).forEach(reach)
  const hosts = [...functions].filter((func): func is Host => func._tag === "Host")
  const defined = [...functions].filter((func): func is Defined => func._tag === "Defined")
  const order = new Map<Func, number>([...hosts, ...defined].map((func, index) => [func, index]))
  const index = (func: Func): number => order.get(func)!
  const signature = ({ params, result }: Func): ReadonlyArray<number> => [
    0x60,
    ...unsigned(params.length),
    ...params.map(({ type }) => typeByte[type]),
    ...(result === undefined ? [0] : [1, typeByte[result]]),
  ]
  const limits = memory.shared ? [3, 1, ...unsigned(maximumPages)] : [0, 1]
  return joined([
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // One type for each function: they are few.
    section(1, [...hosts, ...defined].map(signature)),
    section(2, [
      [...text("env"), ...text("memory"), 2, ...limits],
      ...hosts.map((func) => [...text("host"), ...text(func.name), 0, ...unsigned(index(func))]),
    ]),
    section(
      3,
      defined.map((func) => unsigned(index(func))),
    ),
    section(
      7,
      Object.entries(exports).map(([name, func]) => [...text(name), 0, ...unsigned(index(func))]),
    ),
    section(
      10,
      defined.map((func) => Emit.body(func, index)),
    ),
  ])
}
