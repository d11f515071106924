import { children, type Expr, type Local } from "./Expr.ts"
import type { Func } from "./Func.ts"

/** Numbers for expressions, equal for equal expressions, with the facts that an emitter needs. */
export interface Interner {
  readonly number: (x: Expr) => number
  readonly expr: (number: number) => Expr
  readonly parts: (number: number) => ReadonlyArray<number>
  /** whether the value may change when one of these variables does, or, with a load in it, memory */
  readonly varies: (number: number, assigned: ReadonlySet<Local>) => boolean
  readonly reads: (number: number, variable: Local) => boolean
  readonly loads: (number: number) => boolean
}

interface Entry {
  readonly expr: Expr
  readonly parts: ReadonlyArray<number>
  readonly reads: ReadonlySet<Local>
  readonly loads: boolean
}

export const make = (): Interner => {
  const entries: Array<Entry> = []
  const byIdentity = new Map<Expr, number>()
  const byKey = new Map<string, number>()
  const things = new Map<Local | Func, number>()
  const thing = (x: Local | Func): number => {
    const known = things.get(x) ?? things.size
    things.set(x, known)
    return known
  }
  const label = (x: Expr): string => {
    switch (x._tag) {
      case "Const":
        return `${x.type} ${x.bytes.join()}`
      case "Get":
        return `get ${thing(x.local)}`
      case "Load":
        return `${x.operation} ${x.offset}`
      case "Apply":
        return x.operation
      case "Immediate":
        return `immediate ${x.code.join()}`
      case "Result":
        return `result ${thing(x.func)}`
      case "Unless":
        return "unless"
    }
  }
  const number = (x: Expr): number => {
    const same = byIdentity.get(x)
    if (same !== undefined) return same
    const parts = children(x).map(number)
    const key = `${label(x)}(${parts.join()})`
    const known = byKey.get(key)
    const id = known ?? entries.length
    if (known === undefined) {
      const below = parts.map((part) => entries[part]!)
      const reads = new Set(below.flatMap((entry) => [...entry.reads]))
      if (x._tag === "Get") reads.add(x.local)
      entries.push({ expr: x, parts, reads, loads: x._tag === "Load" || below.some(({ loads }) => loads) })
      byKey.set(key, id)
    }
    byIdentity.set(x, id)
    return id
  }
  return {
    number,
    expr: (id) => entries[id]!.expr,
    parts: (id) => entries[id]!.parts,
    reads: (id, variable) => entries[id]!.reads.has(variable),
    loads: (id) => entries[id]!.loads,
    varies: (id, assigned) => {
      const { reads, loads } = entries[id]!
      return loads || [...reads].some((variable) => assigned.has(variable))
    },
  }
}
