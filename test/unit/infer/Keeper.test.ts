import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { vi } from "vitest"
import type { Algorithm, Info } from "../../../src/infer/Algorithm.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Keeper from "../../../src/infer/Keeper.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import { type Store, StoreError } from "../../../src/infer/Store.ts"
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

  it.effect("loses no more than the time between states, a step, and the writing of two states", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
          fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 7 }),
          fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 1, maxLength: 5 }),
          async (every, steps, writings) => {
            // Milliseconds of a clock that steps and writings alone move.
            let now = 0
            vi.spyOn(performance, "now").mockImplementation(() => now)
            const { kept, store } = MemoryStore.make()
            let written = 0
            /** The longest that writing a state took so far. */
            let slowest = 0
            /** When the state was made that a process would go on from that is killed now, and the worst that it would lose. */
            let [safe, lost] = [0, 0]
            const timed: Store = {
              ...store,
              write: (name, bytes) =>
                Effect.suspend(() => {
                  const made = now
                  const writing = writings[written++ % writings.length]!
                  now += writing
                  slowest = Math.max(slowest, writing)
                  look()
                  safe = made
                  return store.write(name, bytes)
                }),
            }
            const longest = Math.max(...steps)
            const look = (): void => {
              // Without `every` states are further apart where keeping one takes more than a twentieth of the time.
              const between = every === undefined ? Math.max(5000, 20 * slowest) : 1000 * every
              lost = Math.max(lost, now - safe)
              expect(now - safe).toBeLessThanOrEqual(between + longest + 2 * slowest)
            }
            let taken = 0
            const slow: Algorithm<{ readonly at: number }, Info, object> = {
              init: () => ({ at: 0 }),
              step: ({ at }) => {
                now += steps[taken++ % steps.length]!
                return [{ at: at + 1 }, { objective: at, converged: false }]
              },
              posterior: () => ({}),
            }
            await Effect.runPromise(
              Fit.fit(slow, look).pipe(
                Effect.provide([Stop.layer({ steps: 60 }), Fit.checkpointed(timed, { every })]),
              ),
            )
            // States were kept, and some work was at risk.
            expect(kept.size).toBe(1)
            expect(lost).toBeGreaterThan(0)
          },
        ),
        { numRuns: 200 },
      ),
    ).pipe(Effect.ensuring(Effect.sync(() => vi.restoreAllMocks()))),
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
