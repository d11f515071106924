import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Algorithm, Info } from "../../../src/infer/Algorithm.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Keeper from "../../../src/infer/Keeper.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import { StoreError } from "../../../src/infer/Store.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as MemoryStore from "../../support/memoryStore.ts"

interface Walk {
  readonly key: Rng.Key
  readonly position: number
  readonly at: number
  readonly seen: Array<number>
}

/** A random walk, which fails at each seventh step and has converged beyond a bound. */
const walk = (
  bound: number,
): Algorithm<Walk, Info, { readonly at: number; readonly seen: ReadonlyArray<number> }> => ({
  init: (key) => ({ key, position: 0, at: 0, seen: [] }),
  step: ({ key, position, at, seen }) => {
    const generator = Rng.generator(key, position)
    const next = at + generator.next()
    seen.push(next)
    const step = position / 2
    return [
      { key, position: generator.position(), at: next, seen },
      { objective: step % 7 === 6 ? Number.NaN : next, converged: next > bound, scored: 3 * step },
    ]
  },
  posterior: ({ at, seen }) => ({ at, seen: [...seen] }),
})

/** Without the clock. */
const timeless = <A extends { readonly seconds: number }>({ seconds: _, ...others }: A) => others

const rules = {
  steps: Stop.layer({ steps: 30 }),
  effort: Stop.layer({ rules: [Stop.afterEffort(60)] }),
  converged: Stop.layer({}),
}
/** Asks for an end once a number of steps were taken. */
const stopping = (steps: number) => {
  let taken = 0
  return {
    tell: () => void taken++,
    layer: Layer.succeed(Fit.Interrupt, { requested: () => taken + 1 >= steps }),
  }
}

describe("a fit whose states are kept", () => {
  it.effect.each(["steps", "effort", "converged"] as const)(
    "is the same when it is interrupted at any step (%s)",
    (by) =>
      Effect.gen(function* () {
        const algorithm = walk(by === "converged" ? 15 : 1000)
        const begun = Effect.provide([rules[by], Fit.seed(5)])
        const plain = timeless(yield* Fit.fit(algorithm).pipe(begun))
        for (let at = 1; at <= plain.steps; at++) {
          const { store } = MemoryStore.make()
          const { tell, layer } = stopping(at)
          const first = yield* Fit.fit(algorithm, tell).pipe(
            begun,
            Effect.provide([layer, Fit.checkpointed(store)]),
          )
          // A fit that is over by itself says so, although it was asked to end.
          expect([first.steps, first.stopReason]).toEqual([
            at,
            at === plain.steps ? plain.stopReason : "interrupted",
          ])
          const told: Array<number> = []
          const second = yield* Fit.fit(algorithm, ({ step }) => told.push(step)).pipe(
            begun,
            Effect.provide(Fit.checkpointed(store)),
          )
          expect(timeless(second)).toEqual(plain)
          expect(second.seconds).toBeGreaterThanOrEqual(first.seconds)
          expect(told).toHaveLength(plain.steps - at)
        }
      }),
  )

  it.effect("is the same when it ends without a word", () =>
    Effect.gen(function* () {
      const { store, kept } = MemoryStore.make()
      const begun = Effect.provide([rules.steps, Fit.seed(5)])
      const plain = timeless(yield* Fit.fit(walk(1000)).pipe(begun))
      /** Ends as a process does that is killed. */
      const killed = Fit.fit(walk(1000), ({ step }) => {
        if (step % 8 === 0) throw new Error("killed")
      }).pipe(begun, Effect.provide(Fit.checkpointed(store, { every: 1e-9 })), Effect.exit)
      yield* killed
      expect([...kept.keys()]).toEqual(["fit"])
      expect(
        timeless(yield* Fit.fit(walk(1000)).pipe(begun, Effect.provide(Fit.checkpointed(store)))),
      ).toEqual(plain)
    }),
  )

  it.effect("goes on with a larger limit", () =>
    Effect.gen(function* () {
      const { store } = MemoryStore.make()
      const run = (steps: number) =>
        Fit.fit(walk(1000)).pipe(Effect.provide([Stop.layer({ steps }), Fit.checkpointed(store)]))
      yield* run(10)
      const plain = yield* Fit.fit(walk(1000)).pipe(Effect.provide(Stop.layer({ steps: 25 })))
      expect(timeless(yield* run(25))).toEqual(timeless(plain))
    }),
  )

  it.effect("does not end where a state cannot be kept, and says so", () =>
    Effect.gen(function* () {
      const full = new StoreError({ message: "no space left" })
      const { store } = MemoryStore.make()
      const said: Array<string> = []
      const fitted = yield* Fit.fit(walk(1000)).pipe(
        Effect.provide([
          rules.steps,
          Fit.checkpointed(
            { ...store, write: () => Effect.fail(full) },
            { every: 1e-9, onTrouble: ({ message }) => said.push(message) },
          ),
        ]),
      )
      expect(fitted.steps).toBe(30)
      expect(new Set(said)).toEqual(new Set(["no space left"]))
      const odd: Algorithm<{ readonly f: () => number }, Info, object> = {
        init: () => ({ f: () => 1 }),
        step: (state) => [state, { objective: 1, converged: true }],
        posterior: () => ({}),
      }
      yield* Fit.fit(odd).pipe(
        Effect.provide([
          rules.steps,
          Fit.checkpointed(store, { onTrouble: ({ message }) => said.push(message) }),
        ]),
      )
      expect(said.at(-1)).toContain("the state has a function")
    }),
  )

  it.effect("does not begin where what was kept is of another fit", () =>
    Effect.gen(function* () {
      const { store, kept } = MemoryStore.make()
      const run = (subject: string) =>
        Fit.fit(walk(1000)).pipe(
          Effect.provide(rules.steps),
          Keeper.part("walk", () => Effect.succeed(subject)),
          Effect.provide(Fit.checkpointed(store)),
        )
      yield* run("a")
      yield* run("a")
      expect([...kept.keys()]).toEqual(["walk"])
      const { _tag, message } = yield* Effect.flip(run("b"))
      expect(_tag).toBe("DataError")
      expect(message).toContain("of another fit: its data, settings or seed differ")
      kept.set("fit", new Uint8Array(20))
      expect((yield* Effect.flip(run("a"))).message).toContain("a state that was kept cannot be read")
    }),
  )
})
