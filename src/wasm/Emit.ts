import type { Expr, Local } from "./Expr.ts"
import type { Defined, Func, Statement } from "./Func.ts"
import * as Interner from "./Interner.ts"
import { bytesOf, loads, signed, stores, typeByte, unsigned, type ValueType } from "./Opcode.ts"

const LOCAL_GET = 0x20
const LOCAL_SET = 0x21
const LOCAL_TEE = 0x22
const CALL = 0x10
const BLOCK = 0x02
const LOOP = 0x03
const IF = 0x04
const ELSE = 0x05
const END = 0x0b
const BR = 0x0c
const BR_IF = 0x0d
const BR_TABLE = 0x0e
const EMPTY = 0x40

/** The variables that statements assign, at any depth. */
const assigned = (statements: ReadonlyArray<Statement>): ReadonlySet<Local> => {
  const found = new Set<Local>()
  const visit = (list: ReadonlyArray<Statement>): void => {
    for (const statement of list) {
      if (statement._tag === "Set") found.add(statement.local)
      for (const body of bodies(statement)) visit(body)
    }
  }
  visit(statements)
  return found
}

const bodies = (statement: Statement): ReadonlyArray<ReadonlyArray<Statement>> => {
  switch (statement._tag) {
    case "Repeat":
      return [statement.body]
    case "If":
      return [statement.body, statement.otherwise]
    case "Switch":
      return statement.cases
    default:
      return []
  }
}

/** The expressions of a statement itself, not of its bodies. */
const operands = (statement: Statement): ReadonlyArray<Expr> => {
  switch (statement._tag) {
    case "Set":
      return [statement.value]
    case "Store":
      return [statement.address, statement.value]
    case "Call":
      return statement.args
    case "Repeat":
      return [statement.again]
    case "If":
      return [statement.condition]
    case "Switch":
      return [statement.index]
  }
}

/** Expressions in variables of the emitter: computed before and still valid. */
type Held = Map<number, number>

/**
 * The body of a function, with its declarations of variables: the bytes of an entry of the code section.
 *
 * Equal expressions between two changes of control are computed once, and expressions that a loop does not change are computed
 * before it, constants included: engines materialise a vector constant anew at each use.
 *
 * @param index the index of a function that is called
 */
export const body = (func: Defined, index: (func: Func) => number): ReadonlyArray<number> => {
  const interner = Interner.make()
  const code: Array<number> = []
  const slots = new Map<Local, number>()
  const types: Array<ValueType> = []
  const fresh = (type: ValueType): number => types.push(type) - 1
  const slot = (variable: Local): number => {
    const known = slots.get(variable)
    if (known !== undefined) return known
    const made = fresh(variable.type)
    slots.set(variable, made)
    return made
  }
  func.params.forEach(slot)
  const instruction = (byte: number, operand: number): void => void code.push(byte, ...unsigned(operand))

  const trivial = (x: Expr): boolean => x._tag === "Get" || (x._tag === "Const" && x.type !== "v128")

  /** Leaves the value of an expression on the stack; keeps it if it is used again. */
  const push = (id: number, held: Held, uses: ReadonlyMap<number, number>): void => {
    const known = held.get(id)
    if (known !== undefined) return instruction(LOCAL_GET, known)
    const x = interner.expr(id)
    compute(id, x, held, uses)
    if (!trivial(x) && (uses.get(id) ?? 0) > 1) {
      const made = fresh(x.type)
      instruction(LOCAL_TEE, made)
      held.set(id, made)
    }
  }

  const compute = (id: number, x: Expr, held: Held, uses: ReadonlyMap<number, number>): void => {
    const parts = interner.parts(id)
    if (x._tag === "Unless") {
      // `Unless` has three parts.
      const [value, condition, instead] = parts as readonly [number, number, number]
      const made = fresh(x.type)
      push(value, held, uses)
      instruction(LOCAL_SET, made)
      push(condition, held, uses)
      code.push(IF, typeByte[x.type])
      // Values computed in this block exist in this block only.
      push(instead, new Map(held), uses)
      code.push(ELSE)
      instruction(LOCAL_GET, made)
      code.push(END)
      return
    }
    parts.forEach((part) => push(part, held, uses))
    switch (x._tag) {
      case "Const":
        if (x.type === "v128") code.push(0xfd, 12, ...x.bytes)
        else if (x.type === "i32")
          code.push(0x41, ...signed(new Int32Array(Uint8Array.from(x.bytes).buffer)[0]!))
        else code.push(x.type === "f64" ? 0x44 : 0x43, ...x.bytes)
        return
      case "Get":
        return instruction(LOCAL_GET, slot(x.local))
      case "Load": {
        const [, bytes, align] = loads[x.operation]
        // Aligned to less than the natural boundary is a hint only; the least is always true.
        code.push(...bytes, Math.min(align, 2), ...unsigned(x.offset))
        return
      }
      case "Apply":
        code.push(...bytesOf(x.operation))
        return
      case "Immediate":
        code.push(...x.code)
        return
      case "Result":
        return instruction(CALL, index(x.func))
    }
  }

  /** How often each expression of a run of statements is asked for; each is computed at most once. */
  const count = (roots: ReadonlyArray<number>): Map<number, number> => {
    const uses = new Map<number, number>()
    const visit = (id: number): void => {
      const before = uses.get(id) ?? 0
      uses.set(id, before + 1)
      if (before === 0) interner.parts(id).forEach(visit)
    }
    roots.forEach(visit)
    return uses
  }

  /** Computes before a loop the expressions that the loop does not change. */
  const hoist = (
    statements: ReadonlyArray<Statement>,
    again: Expr,
    changed: ReadonlySet<Local>,
    held: Held,
  ): void => {
    const seen = new Set<number>()
    const invariant: Array<number> = []
    const visit = (id: number): void => {
      if (seen.has(id) || held.has(id)) return
      seen.add(id)
      const x = interner.expr(id)
      if (trivial(x)) return
      if (!interner.varies(id, changed) && x._tag !== "Result") invariant.push(id)
      else interner.parts(id).forEach(visit)
    }
    const scan = (list: ReadonlyArray<Statement>): void => {
      for (const statement of list) {
        operands(statement).forEach((x) => visit(interner.number(x)))
        bodies(statement).forEach(scan)
      }
    }
    scan(statements)
    visit(interner.number(again))
    const uses = count(invariant)
    for (const id of invariant) {
      const made = fresh(interner.expr(id).type)
      push(id, held, uses)
      instruction(LOCAL_SET, made)
      held.set(id, made)
    }
  }

  const without = (held: Held, changed: ReadonlySet<Local>): Held =>
    new Map([...held].filter(([id]) => !interner.varies(id, changed)))

  const run = (statements: ReadonlyArray<Statement>, last: Expr | undefined, held: Held): void => {
    const own = statements.filter(({ _tag }) => _tag !== "Repeat").flatMap(operands)
    const uses = count([...own, ...(last === undefined ? [] : [last])].map(interner.number))
    const value = (x: Expr): void => push(interner.number(x), held, uses)
    const forget = (changed: ReadonlySet<Local>): void => {
      for (const id of held.keys()) if (interner.varies(id, changed)) held.delete(id)
    }
    for (const statement of statements) {
      switch (statement._tag) {
        case "Set":
          value(statement.value)
          instruction(LOCAL_SET, slot(statement.local))
          for (const id of held.keys()) if (interner.reads(id, statement.local)) held.delete(id)
          break
        case "Store": {
          value(statement.address)
          value(statement.value)
          const [, bytes, align] = stores[statement.operation]
          code.push(...bytes, Math.min(align, 2), ...unsigned(statement.offset))
          break
        }
        case "Call":
          statement.args.forEach(value)
          instruction(CALL, index(statement.func))
          // The function may have written to memory.
          forget(new Set())
          break
        case "Repeat": {
          const changed = assigned(statement.body)
          forget(changed)
          hoist(statement.body, statement.again, changed, held)
          code.push(LOOP, EMPTY)
          run(statement.body, statement.again, new Map(held))
          code.push(BR_IF, 0, END)
          forget(changed)
          break
        }
        case "If": {
          value(statement.condition)
          code.push(IF, EMPTY)
          run(statement.body, undefined, new Map(held))
          if (statement.otherwise.length > 0) {
            code.push(ELSE)
            run(statement.otherwise, undefined, new Map(held))
          }
          code.push(END)
          forget(assigned([...statement.body, ...statement.otherwise]))
          break
        }
        case "Switch": {
          const { cases } = statement
          // A block around each case: jumping out of block i lands at case i, out of the last behind all.
          for (let i = 0; i <= cases.length; i++) code.push(BLOCK, EMPTY)
          value(statement.index)
          code.push(BR_TABLE, ...unsigned(cases.length))
          for (let i = 0; i <= cases.length; i++) code.push(...unsigned(i))
          cases.forEach((body, i) => {
            code.push(END)
            run(body, undefined, without(held, new Set()))
            code.push(BR, ...unsigned(cases.length - 1 - i))
          })
          code.push(END)
          forget(assigned(cases.flat()))
          break
        }
      }
    }
    if (last !== undefined) value(last)
  }

  run(func.body, func.value, new Map())
  const own = types.slice(func.params.length)
  const declarations = own.flatMap((type) => [1, typeByte[type]])
  const bytes = unsigned(own.length).concat(declarations, code, END)
  return unsigned(bytes.length).concat(bytes)
}
