import { describe, expect, it } from "vitest"
import { FIRST, SQUARE } from "../../../src/search/kernel/Kernel.ts"
import { temporary } from "../../../src/search/Temporary.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Spaces from "../../support/spaces.ts"

describe("nodes that are forgotten", () => {
  const spaces = Spaces.make(([a, b]) => a! * b!)
  const { space } = spaces
  const { dag, kernel } = space
  const generator = Rng.generator(Rng.key(9))
  const some = (below: number): number => Math.floor(generator.next() * below)
  /** A node over those with numbers below `limit`. */
  const random = (limit = dag.size()): number => {
    const operand = (): number => {
      const id = some(limit)
      // Not a response, a weight or the witness.
      return id >= space.terminals && dag.records()[4 * id]! < 0 ? 0 : id
    }
    return dag.apply(some(6), operand(), operand())
  }
  const square = (id: number): number => {
    const out = new Float64Array(FIRST)
    kernel.weigh(-1)
    kernel.hold([])
    kernel.moments([id], out)
    return out[SQUARE]!
  }
  const exact = (id: number): number =>
    Spaces.column(spaces, id).reduce((sum, value) => sum + value * value, 0)

  it("leave the others as they were, and their numbers to new ones", () => {
    for (let i = 0; i < 500; i++) random()
    const before = dag.size()
    const records = dag.records().slice(0, 4 * before)
    for (let round = 0; round < 5; round++) {
      // Enough for the table to grow.
      for (let i = 0; i < 3000; i++) random()
      expect(dag.size()).toBeGreaterThan(before + 1000)
      kernel.forget(before)
      dag.forget(before)
      expect(dag.size()).toBe(before)
      expect(dag.records().slice(0, 4 * before)).toEqual(records)
      for (let id = 0; id < before; id++) {
        const [operator, left, right] = records.subarray(4 * id, 4 * id + 3)
        if (operator! >= 0) expect(dag.apply(operator!, left!, right!)).toBe(id)
      }
      expect(dag.size()).toBe(before)
    }
  })

  it("leave no column behind that another node would take for its own", () => {
    const mark = dag.size()
    let compared = 0
    for (let round = 0; round < 20; round++) {
      const made = Array.from({ length: 30 }, () => random(40))
      // Asked for twice, so that columns stay in memory.
      for (const id of [...made, ...made]) {
        const sum = exact(id)
        if (!(sum > 1e-6 && sum < 1e12)) continue
        compared++
        // A sine of a large argument loses digits in float32; another column would be far off.
        expect(square(id) / sum).toBeCloseTo(1, 1)
      }
      kernel.forget(mark)
      dag.forget(mark)
    }
    expect(compared).toBeGreaterThan(300)
  })

  it("come back when they are kept, with what they are made of", () => {
    const mark = dag.size()
    const wave = Spaces.formula(spaces, Spaces.apply(spaces, "sin", 0))
    const kept: Array<number> = []
    const now = temporary(space, () => {
      for (let i = 0; i < 200; i++) random()
      kept.push(
        Spaces.apply(spaces, "mul", Spaces.apply(spaces, "sin", 0), Spaces.apply(spaces, "square", 1)),
      )
      for (let i = 0; i < 200; i++) random()
      return kept
    })
    expect(dag.size()).toBeLessThanOrEqual(mark + 3)
    const [id] = kept
    expect(Spaces.formula(spaces, now(id!))).toEqual(
      Spaces.formula(
        spaces,
        Spaces.apply(spaces, "mul", Spaces.apply(spaces, "sin", 0), Spaces.apply(spaces, "square", 1)),
      ),
    )
    expect(JSON.stringify(Spaces.formula(spaces, now(id!)))).toContain(JSON.stringify(wave))
    expect(now(0)).toBe(0)
  })
})
