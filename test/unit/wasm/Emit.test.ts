import { describe, expect, it } from "vitest"
import * as X from "../../../src/wasm/Expr.ts"
import * as F from "../../../src/wasm/Func.ts"
import { assemble } from "../../../src/wasm/Module.ts"
import { start, write } from "../../support/wasm.ts"

// What the emitter computes how often; that it computes the right thing is for `test/property/wasm/Func.test.ts`.

const probe = F.host("probe", [X.local("i32", "x")], "i32")

/** Runs a function whose host function doubles; what it was called with, and what the function returned. */
const observed = (func: F.Defined, ...args: ReadonlyArray<number>) => {
  const calls: Array<number> = []
  const { run } = start(func, {
    probe: (x) => {
      calls.push(x)
      return 2 * x
    },
  })
  return { result: run(...args), calls }
}

const [n, i, sum] = [X.local("i32", "n"), X.local("i32", "i"), X.local("i32", "sum")]
const add = (a: X.Expr<"i32">, b: X.Expr<"i32">) => X.op("i32.add", a, b)
const count = F.set(i, X.op("i32.sub", X.get(i), X.i32(1)))
/** A function of n that runs the body n times. */
const times = (body: ReadonlyArray<F.Statement>): F.Defined<"i32"> => ({
  ...F.pure("times", [n], X.get(sum)),
  body: [F.set(i, X.get(n)), F.repeat([...body, count], X.get(i))],
})
/** How often some bytes occur in a module. */
const occurrences = (func: F.Defined, bytes: ReadonlyArray<number>): number => {
  const code = assemble({ exports: { run: func }, memory: { shared: false } })
  return code.filter((_, at) => bytes.every((byte, k) => code[at + k] === byte)).length
}

describe("sharing", () => {
  it("computes equal expressions once, one object or two", () => {
    const call = () => X.result(probe, add(X.get(n), X.i32(1)))
    const one = call()
    const same = F.pure("same", [n], add(one, one))
    const alike = F.pure("alike", [n], add(call(), call()))
    for (const func of [same, alike]) expect(observed(func, 4)).toEqual({ result: 20, calls: [5] })
  })

  it("computes again what has changed in between", () => {
    const call = X.result(probe, X.get(n))
    const func: F.Defined<"i32"> = {
      ...F.pure("changed", [n], add(X.get(sum), call)),
      body: [F.set(sum, call), F.set(n, add(X.get(n), X.i32(1)))],
    }
    expect(observed(func, 4)).toEqual({ result: 18, calls: [4, 5] })
  })

  it("keeps what has been read until a call may have written", () => {
    const value = X.load("i32.load", X.i32(0))
    const other = F.procedure("other", [], [F.store("i32.store", X.i32(0), X.i32(7))])
    const func = F.procedure(
      "reads",
      [],
      [write(add(value, X.i32(1)), 64), F.call(other), write(add(value, X.i32(1)), 68)],
    )
    const { memory, run } = start(func)
    run()
    expect([...new Int32Array(memory, 64, 2)]).toEqual([1, 8])
  })

  it("holds each function and each import of a module once", () => {
    const inner = F.pure("inner", [n], X.result(probe, X.get(n)))
    const outer = F.pure("outer", [n], add(X.result(inner, X.get(n)), X.result(inner, X.i32(3))))
    const code = assemble({ exports: { a: outer, b: outer, c: inner }, memory: { shared: false } })
    const api = Reflect.get(globalThis, "WebAssembly") as {
      readonly Module: {
        new (bytes: Uint8Array<ArrayBuffer>): object
        readonly imports: (module: object) => ReadonlyArray<object>
        readonly exports: (module: object) => ReadonlyArray<object>
      }
    }
    const module = new api.Module(code)
    expect(api.Module.imports(module)).toEqual([
      { module: "env", name: "memory", kind: "memory" },
      { module: "host", name: "probe", kind: "function" },
    ])
    expect(api.Module.exports(module)).toHaveLength(3)
    expect(observed(outer, 5)).toEqual({ result: 16, calls: [5, 3] })
  })
})

describe("a loop", () => {
  it("runs its body at least once, and as often as it is asked to", () => {
    const func = times([F.set(sum, add(X.get(sum), X.get(i)))])
    expect([1, 2, 10].map((rounds) => observed(func, rounds).result)).toEqual([1, 3, 55])
  })

  it("computes before it what it does not change", () => {
    const fixed = add(X.result(probe, X.get(n)), X.i32(1))
    const moving = X.result(probe, X.get(i))
    expect(observed(times([F.set(sum, add(X.get(sum), fixed))]), 4)).toEqual({ result: 36, calls: [4] })
    expect(observed(times([F.set(sum, add(X.get(sum), moving))]), 3).calls).toEqual([3, 2, 1])
  })

  it("materialises a vector constant once", () => {
    const vector = X.f32x4(Math.PI)
    const value = X.op("f32x4.add", X.op("f32x4.mul", read128(0), vector), vector)
    const constant = [0xfd, 12, ...new Uint8Array(Float32Array.of(Math.PI).buffer)]
    expect(
      occurrences(times([write(value, 16), write(X.op("f32x4.sub", value, vector), 32)]), constant),
    ).toBe(1)
  })

  it("does not take loads out", () => {
    const value = add(X.load("i32.load", X.i32(0)), X.i32(1))
    const increment = F.procedure("increment", [], [F.store("i32.store", X.i32(0), value)])
    const func = times([F.call(increment), F.set(sum, add(X.get(sum), value))])
    // 2 + 3 + 4
    expect(observed(func, 3).result).toBe(9)
  })

  it("in a loop keeps what the outer one holds", () => {
    const j = X.local("i32", "j")
    const fixed = add(X.result(probe, X.get(n)), X.i32(1))
    const inner = [F.set(sum, add(X.get(sum), fixed)), F.set(j, X.op("i32.sub", X.get(j), X.i32(1)))]
    expect(observed(times([F.set(j, X.i32(3)), F.repeat(inner, X.get(j))]), 2)).toEqual({
      result: 30,
      calls: [2],
    })
  })
})

const read128 = (at: number): X.Expr<"v128"> => X.load("v128.load", X.i32(0), at)

describe("a choice", () => {
  it("evaluates the rare way only where it is taken", () => {
    const func = F.pure(
      "rare",
      [n],
      X.unless(X.i32(-1), X.op("i32.lt_s", X.get(n), X.i32(0)), X.result(probe, X.get(n))),
    )
    expect(observed(func, 3)).toEqual({ result: -1, calls: [] })
    expect(observed(func, -3)).toEqual({ result: -6, calls: [-3] })
  })

  it("of two runs one of them", () => {
    const effect = (value: number) => F.set(sum, X.result(probe, X.i32(value)))
    const func = (otherwise: ReadonlyArray<F.Statement>): F.Defined<"i32"> => ({
      ...F.pure("if", [n], X.get(sum)),
      body: [F.when(X.get(n), [effect(1)], otherwise)],
    })
    expect(observed(func([effect(2)]), 7).calls).toEqual([1])
    expect(observed(func([effect(2)]), 0).calls).toEqual([2])
    expect(observed(func([]), 0)).toEqual({ result: 0, calls: [] })
  })

  it("of many takes the one with the number, and none beyond", () => {
    for (const cases of [1, 2, 200]) {
      const body = Array.from({ length: cases }, (_, k) => [F.set(sum, X.result(probe, X.i32(k + 1)))])
      const func: F.Defined<"i32"> = {
        ...F.pure("switch", [n], add(X.get(sum), X.i32(1))),
        body: [F.choose(X.get(n), body)],
      }
      for (const k of [0, 1, cases - 1].filter((k) => k < cases))
        expect(observed(func, k)).toEqual({ result: 2 * (k + 1) + 1, calls: [k + 1] })
      for (const k of [cases, cases + 1, -1]) expect(observed(func, k)).toEqual({ result: 1, calls: [] })
    }
  })
})

describe("a module", () => {
  it("has functions of thousands of variables and long bodies", () => {
    const locals = Array.from({ length: 3000 }, (_, k) => X.local("i32", `v${k}`))
    const body = locals.map((variable, k) =>
      F.set(variable, add(k === 0 ? X.get(n) : X.get(locals[k - 1]!), X.i32(1))),
    )
    const func: F.Defined<"i32"> = { ...F.pure("long", [n], X.get(locals.at(-1)!)), body }
    expect(observed(func, 5).result).toBe(3005)
  })

  it("runs over shared memory", () => {
    const func = F.procedure("write", [n], [F.store("i32.store", X.i32(0), X.get(n), 8)])
    const { memory, run } = start(func, {}, true)
    run(77)
    expect(memory).toBeInstanceOf(SharedArrayBuffer)
    expect(new Int32Array(memory)[2]).toBe(77)
  })

  it("has names of any characters", () => {
    const named = F.host("größe Σ", [X.local("i32", "x")], "i32")
    expect(start(F.pure("f", [n], X.result(named, X.get(n))), { "größe Σ": (x) => x + 1 }).run(2)).toBe(3)
  })
})
