import { describe, expect, it } from "vitest"
import * as Move from "../../../src/search/Move.ts"
import * as Remembering from "../../../src/search/Remembering.ts"
import type { Core } from "../../../src/search/State.ts"
import type { Workbench } from "../../../src/search/Workbench.ts"

// The moves below ask nothing of it.
const bench = {} as Workbench

/** Moves of which the second has three parts; each adds its name to the memory. */
const moves = [
  Move.make<string>({ name: "at once", begin: () => "", step: (_, memory) => `${memory}a` }),
  Move.make<string>({
    name: "in parts",
    begin: () => "",
    gradually: function* (_, memory) {
      yield
      yield
      return `${memory}b`
    },
  }),
  Move.make({ name: "without memory" }),
  Move.make<string>({ name: "last", begin: () => "", step: (_, memory) => `${memory}c` }),
]

const begin = (): Pick<Core, "memories" | "remembering"> => ({
  memories: ["", "", undefined, ""],
  remembering: undefined,
})

describe("moves remember a step", () => {
  it("one after the other, in parts where that takes long", () => {
    const core = begin()
    const { next } = Remembering.make(moves, bench, core)
    for (const step of [1, 2]) {
      const before = (text: string): string => text.repeat(step - 1)
      expect(next()).toBe(false)
      expect(core.remembering).toEqual({ move: 1, parts: 1 })
      expect(core.memories).toEqual(["a".repeat(step), before("b"), undefined, before("c")])
      expect(next()).toBe(false)
      expect(core.remembering).toEqual({ move: 1, parts: 2 })
      expect(next()).toBe(true)
      expect(core.remembering).toBeUndefined()
      expect(core.memories).toEqual(["a", "b", undefined, "c"].map((one) => one?.repeat(step)))
    }
  })

  it.each([1, 2])("the same when they go on elsewhere after part %i", (parts) => {
    const core = begin()
    const first = Remembering.make(moves, bench, core)
    for (let part = 0; part < parts; part++) first.next()
    const copy = structuredClone(core)
    const second = Remembering.make(moves, bench, copy)
    for (;;) {
      const ended = first.next()
      expect(second.next()).toBe(ended)
      expect(copy).toEqual(core)
      if (ended) break
    }
    expect(copy.memories).toEqual(["a", "b", undefined, "c"])
  })
})
