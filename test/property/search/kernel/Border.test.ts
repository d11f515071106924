import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Evidence from "../../../../src/evidence/conjugate.ts"
import * as Moments from "../../../../src/evidence/moments.ts"
import * as Border from "../../../../src/search/kernel/Border.ts"
import { FIRST } from "../../../../src/search/kernel/Kernel.ts"
import * as Library from "../../../../src/search/kernel/Library.ts"
import * as HardKernel from "../../../support/hardKernel.ts"
import { runs } from "../../../support/property.ts"

const real = fc.double({ min: -5, max: 5, noNaN: true })
const positive = fc.double({ min: 0.05, max: 20, noNaN: true })

/** A library of columns of any kind (repeated, constant, zero, of other units) and an ensemble of K of them. */
const problems = fc
  .record({
    n: fc.integer({ min: 1, max: 12 }),
    K: fc.integer({ min: 1, max: 5 }),
    M: fc.integer({ min: 1, max: 6 }),
  })
  .chain(({ n, K, M }) => {
    const column = fc.array(real, { minLength: n, maxLength: n })
    const kind = fc.oneof(
      { weight: 3, arbitrary: column },
      real.map((value) => Array.from({ length: n }, () => value)),
      fc.tuple(column, fc.integer({ min: -6, max: 9 })).map(([values, e]) => values.map((v) => v * 10 ** e)),
    )
    const hyper = <A>(value: fc.Arbitrary<A>) => fc.array(value, { minLength: K + 1, maxLength: K + 1 })
    return fc.record({
      y: column,
      columns: fc.array(kind, { minLength: M, maxLength: M }),
      members: fc.array(fc.nat({ max: M - 1 }), { minLength: K, maxLength: K }),
      mu0: fc.oneof(hyper(real), hyper(fc.constant(0))),
      sigma0: hyper(positive),
      a0: positive,
      b0: positive,
    })
  })

const inner = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => a.reduce((s, v, i) => s + v * b[i]!, 0)

const expectWithin = (found: number, logEvidence: number, error: number) =>
  expect(Math.abs(found - logEvidence)).toBeLessThanOrEqual(10 * error + 1e-11 * (1 + Math.abs(logEvidence)))

describe("the border of a base", () => {
  it("errs by no more than it says, in every slot", () => {
    fc.assert(
      fc.property(problems, fc.nat(), (p, number) => {
        const slot = number % p.members.length
        const trees = p.members.map((member) => p.columns[member]!)
        const base = [p.y.map(() => 1), ...trees.filter((_, k) => k !== slot)]
        const border = Border.make(p, p.y.length)
        border.base(
          Float64Array.from(base.flatMap((a) => base.map((b) => inner(a, b)))),
          Float64Array.from(base, (column) => inner(column, p.y)),
          inner(p.y, p.y),
          slot,
        )
        const t = trees[slot]!
        const [one, ...others] = base
        const row = [inner(t, t), inner(t, p.y), inner(t, one!), 0, ...others.map((u) => inner(t, u))]
        const found = border.logEvidence(Float64Array.from([NaN, ...row]), 1)
        const { logEvidence } = Evidence.posterior(p, p.y, trees)
        expectWithin(found, logEvidence, border.error())
      }),
      runs(500),
    )
  })

  it("is what the moments of the whole ensemble give, and as sure of it", () => {
    fc.assert(
      fc.property(problems, (p) => {
        const trees = p.members.map((member) => p.columns[member]!)
        const design = [p.y.map(() => 1), ...trees]
        const size = design.length
        const gram = Float64Array.from(design.flatMap((a) => design.map((b) => inner(a, b))))
        const cross = Float64Array.from(design, (column) => inner(column, p.y))
        const square = inner(p.y, p.y)
        const whole = Moments.fromMoments(p, { rows: p.y.length, gram, cross, square })
        const border = Border.make(p, p.y.length)
        const t = size - 1
        const baseGram = gram.filter((_, i) => i % size !== t && Math.floor(i / size) !== t)
        border.base(baseGram, cross.slice(0, t), square, t - 1)
        const row = [
          gram[t * size + t]!,
          cross[t]!,
          gram[t * size]!,
          0,
          ...gram.slice(t * size + 1, t * size + t),
        ]
        const found = border.logEvidence(Float64Array.from(row), 0)
        const error = border.error()
        expect(border.error()).toBe(error)
        // The last pivot is the one that rounds differently; near the least one it is rounding itself.
        fc.pre(whole.error < 1)
        expectWithin(found, whole.logEvidence, whole.error)
        expect(error).toBeGreaterThan(0.4 * whole.error)
        expect(error).toBeLessThan(2.5 * whole.error)
      }),
      runs(300),
    )
  })
})

describe("columns in the span of the base", () => {
  it("have a raised pivot, as in the moments of the whole ensemble, and an infinite error", () => {
    const y = [1, -2, 0.5, 3, 1.5]
    const t = [2e8, -1e8, 3e8, 1e8, -2.5e8]
    const hyper = { mu0: [0, 0, 0], sigma0: [1, 2, 3], a0: 2, b0: 1 }
    const one = y.map(() => 1)
    const design = [one, t, t]
    const gram = Float64Array.from(design.flatMap((a) => design.map((b) => inner(a, b))))
    const cross = Float64Array.from(design, (column) => inner(column, y))
    const whole = Moments.fromMoments(hyper, { rows: 5, gram, cross, square: inner(y, y) })
    const border = Border.make(hyper, 5)
    const base = Float64Array.of(5, 0, inner(t, one), inner(t, t))
    border.base(base, cross.slice(0, 2), inner(y, y), 1)
    const row = Float64Array.of(inner(t, t), inner(t, y), inner(t, one), 0, inner(t, t))
    const found = border.logEvidence(row, 0)
    expect(Number.isFinite(found)).toBe(true)
    expect(border.error()).toBe(Infinity)
    expect(whole.error).toBe(Infinity)
    expect(found).toBeCloseTo(whole.logEvidence, 6)
  })
})

describe("a library", () => {
  it("has the evidence of any of its ensembles, without a pass over the data", () => {
    fc.assert(
      fc.property(problems, fc.nat(), (p, cut) => {
        const kernel = HardKernel.make(p.columns, p.y, 2)
        const library = Library.make(kernel, p)
        // In two parts: the Gram matrix grows by a border.
        const ids = p.columns.map((_, id) => id)
        const first = cut % (ids.length + 1)
        library.add(ids.slice(0, first))
        expect([...library.add(ids)]).toEqual(ids)
        expect(library.size()).toBe(ids.length)
        for (const a of ids)
          for (const b of ids) expect(library.inner(a, b)).toBe(inner(p.columns[a]!, p.columns[b]!))
        const calls = kernel.calls()
        const found = library.logEvidence(p.members)
        const error = library.error()
        expect(kernel.calls()).toBe(calls)
        const trees = p.members.map((member) => p.columns[member]!)
        expectWithin(found, Evidence.posterior(p, p.y, trees).logEvidence, error)
      }),
      runs(300),
    )
  })

  it("tries every member in every slot", () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 40 }), (p, count) => {
        const kernel = HardKernel.make(p.columns, p.y)
        const library = Library.make(kernel, p)
        const ids = [...library.add(p.columns.map((_, id) => id))]
        const calls = kernel.calls()
        const swaps = library.swaps(p.members, count)
        expect(kernel.calls()).toBe(calls)
        const all = p.members.flatMap((incumbent, slot) =>
          ids.filter((id) => id !== incumbent).map((member) => ({ slot, member })),
        )
        expect(swaps.length).toBe(Math.min(count, all.length))
        const evidence = ({ slot, member }: { slot: number; member: number }) => {
          const trees = p.members.with(slot, member).map((id) => p.columns[id]!)
          return Evidence.posterior(p, p.y, trees).logEvidence
        }
        for (const swap of swaps) expectWithin(swap.logEvidence, evidence(swap), swap.error)
        expect(new Set(swaps.map(({ slot, member }) => `${slot} ${member}`)).size).toBe(swaps.length)
        for (const [i, { logEvidence }] of swaps.entries())
          if (i > 0) expect(logEvidence).toBeLessThanOrEqual(swaps[i - 1]!.logEvidence)
        // What was left out is no better than what was not, as far as moments can tell.
        fc.pre(swaps.every(({ error }) => error < 1e-6))
        const worst = swaps.at(-1)?.logEvidence ?? -Infinity
        const kept = new Set(swaps.map(({ slot, member }) => `${slot} ${member}`))
        for (const one of all) {
          if (kept.has(`${one.slot} ${one.member}`)) continue
          const members = p.members.with(one.slot, one.member)
          const found = library.logEvidence(members)
          if (library.error() < 1e-6) expect(found).toBeLessThanOrEqual(worst + 1e-5 * (1 + Math.abs(worst)))
        }
      }),
      runs(200),
    )
  })

  it("leaves out what is not admissible, and takes a column once", () => {
    const columns = [
      [1, 2, 4],
      [NaN, 0, 0],
      [1, 5, 2],
      [1e15, 0, 0],
      [-Infinity, 1, 1],
    ]
    const hyper = { mu0: [0, 0], sigma0: [1, 1], a0: 1, b0: 1 }
    const library = Library.make(HardKernel.make(columns, [1, 2, 3]), hyper)
    expect([...library.add([1, 2, 3, 2, 0, 4])]).toEqual([-1, 0, -1, 0, 1, -1])
    expect([...library.add([0, 2])]).toEqual([1, 0])
    expect([library.size(), library.id(0), library.id(1)]).toEqual([2, 2, 0])
    expect(() => library.logEvidence([2])).toThrow("no member 2")
    expect(() => library.logEvidence([0, 1])).toThrow("has 1 trees, but 2 are given")
    expect(FIRST).toBe(4)
  })
})
