import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as X from "../../../src/wasm/Expr.ts"
import * as F from "../../../src/wasm/Func.ts"
import { type Load, loads, signed, type Store, stores, unsigned } from "../../../src/wasm/Opcode.ts"
import { read, start, write } from "../../support/wasm.ts"

describe("memory", () => {
  const offsets = [0, 1, 63, 64, 127, 128, 16_383, 16_384, 65_536, 100_000]

  it.each(Object.keys(loads) as ReadonlyArray<Load>)("%s reads at any address and offset", (load) => {
    const address = X.local("i32", "address")
    for (const offset of offsets) {
      const value = X.load(load, X.get(address), offset)
      const { memory, run } = start(F.procedure("read", [address], [write(value, 0)]))
      const source = Uint8Array.from({ length: 16 }, (_, i) => 16 * i + 3)
      new Uint8Array(memory).set(source, 1000 + offset)
      run(1000)
      const whole = new Uint8Array(memory, 0, 16)
      const part = (length: number) => [...source.subarray(0, length)]
      const expected = {
        "i32.load": part(4),
        "f32.load": part(4),
        "f64.load": part(8),
        "v128.load": part(16),
        "v128.load32_splat": [...part(4), ...part(4), ...part(4), ...part(4)],
        "v128.load64_splat": [...part(8), ...part(8)],
        "v128.load64_zero": [...part(8), 0, 0, 0, 0, 0, 0, 0, 0],
      }[load]
      expect([...whole.subarray(0, expected.length)]).toEqual(expected)
    }
  })

  it.each(Object.keys(stores) as ReadonlyArray<Store>)("%s writes as many bytes as its type has", (store) => {
    const address = X.local("i32", "address")
    const [type] = stores[store]
    for (const offset of offsets.filter((offset) => offset >= 64)) {
      const statement: F.Statement = {
        _tag: "Store",
        operation: store,
        address: X.get(address),
        offset,
        value: read(type, 0),
      }
      const { memory, run } = start(F.procedure("write", [address], [statement]))
      const all = new Uint8Array(memory)
      all.set(Uint8Array.from({ length: 16 }, (_, i) => 16 * i + 3))
      run(1000)
      const width = { i32: 4, f32: 4, f64: 8, v128: 16 }[type]
      expect([...all.subarray(1000 + offset, 1016 + offset)]).toEqual(
        Array.from({ length: 16 }, (_, i) => (i < width ? 16 * i + 3 : 0)),
      )
    }
  })
})

describe("lanes", () => {
  const source = Int32Array.of(0x3f800000, -5, 0x40490fdb, 7)
  const loaded = X.load("v128.load", X.i32(0), 0)

  it("are extracted by number", () => {
    const numbers = (extract: (lane: number) => X.Expr, count: number, width: number) =>
      F.procedure(
        "lanes",
        [],
        Array.from({ length: count }, (_, lane) => write(extract(lane), 64 + width * lane)),
      )
    for (const [extract, count, width] of [
      [(lane: number) => X.extractF32(loaded, lane), 4, 4],
      [(lane: number) => X.extractF64(loaded, lane), 2, 8],
    ] as const) {
      const { memory, run } = start(numbers(extract, count, width))
      new Int32Array(memory).set(source)
      run()
      expect(new Int32Array(memory, 64, 4)).toEqual(source)
    }
  })

  it("are shuffled from two vectors", () => {
    const other = X.load("v128.load", X.i32(0), 16)
    const lane = fc.nat({ max: 7 })
    fc.assert(
      fc.property(fc.tuple(lane, lane, lane, lane), (lanes) => {
        const { memory, run } = start(
          F.procedure("shuffle", [], [write(X.shuffle(loaded, other, lanes), 64)]),
        )
        new Int32Array(memory).set([10, 11, 12, 13, 14, 15, 16, 17])
        run()
        expect([...new Int32Array(memory, 64, 4)]).toEqual(lanes.map((i) => 10 + i))
      }),
      { numRuns: 40, seed: 5 },
    )
  })
})

describe("numbers in a module", () => {
  const edges = [0, 1, 2, 7, 8, 14, 15, 21, 22, 28, 29, 30].flatMap((power) =>
    [-1, 0, 1].map((by) => 2 ** power + by),
  )

  it("are LEB128 without a sign", () => {
    const decode = (code: ReadonlyArray<number>): number =>
      code.reduce((sum, byte, i) => sum + (byte & 0x7f) * 2 ** (7 * i), 0)
    for (const value of [...edges, 2 ** 31, 2 ** 32 - 1]) {
      const code = unsigned(value)
      expect(decode(code)).toBe(value)
      // The last byte alone has no flag, and there are no more bytes than it takes.
      expect(code.map((byte) => byte >= 0x80)).toEqual(code.map((_, i) => i < code.length - 1))
      expect(code).toHaveLength(Math.max(1, Math.ceil(Math.log2(value + 1) / 7)))
    }
  })

  it("are LEB128 with a sign, as machines read them", () => {
    const values = [...edges.flatMap((value) => [value, -value]), 2 ** 31 - 1, -(2 ** 31)]
    values.forEach((value) => {
      const { run } = start(F.pure("constant", [], X.i32(value)))
      expect(run()).toBe(value | 0)
      expect(signed(value).length).toBeLessThanOrEqual(5)
    })
    expect([-64, -65, 63, 64].map((value) => signed(value).length)).toEqual([1, 2, 1, 2])
  })

  it("are float64 and vectors of any bits", () => {
    const doubles = [0, -0, Math.PI, -1e308, 5e-324, Infinity, -Infinity, Number.NaN]
    for (const value of doubles) expect(start(F.pure("constant", [], X.f64(value))).run()).toBe(value)
    const vectors: ReadonlyArray<readonly [X.Expr<"v128">, ArrayBuffer]> = [
      ...doubles.map((v) => [X.f32x4(v), new Float32Array(4).fill(v).buffer] as const),
      ...doubles.map((v) => [X.f64x2(v), new Float64Array(2).fill(v).buffer] as const),
      ...[0, -1, 2 ** 31 - 1].map((v) => [X.i32x4(v), new Int32Array(4).fill(v).buffer] as const),
      ...[0n, -1n, 2n ** 62n].map((v) => [X.i64x2(v), new BigInt64Array(2).fill(v).buffer] as const),
    ]
    for (const [value, expected] of vectors) {
      const { memory, run } = start(F.procedure("constant", [], [write(value, 0)]))
      run()
      expect(new Uint8Array(memory, 0, 16)).toEqual(new Uint8Array(expected))
    }
  })
})
