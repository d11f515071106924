/**
 * What this machine attains in WebAssembly SIMD on one thread.
 *
 *     node bench/speed/roofline/rates.ts
 *
 * Prints operations a second in registers, `plain` (product, then sum) and `relaxed` (fused; null where there is none), and
 * bytes a second: `read` and `write` over 16 KiB, 512 KiB and 256 MiB (first-level cache, second-level cache, memory).
 */
import { readFileSync } from "node:fs"
import { machine } from "../../../src/wasm/Machine.ts"

interface Exports {
  readonly room: (bytes: number) => number
  readonly chains: (rounds: number, scale: number, shift: number) => number
  readonly read: (at: number, bytes: number, passes: number) => number
  readonly write: (at: number, bytes: number, passes: number, value: number) => void
}

/** The module in a file beside this one; undefined if this machine lacks what it needs. */
const load = (file: string): Exports | undefined => {
  const found = machine()
  const bytes = new Uint8Array(readFileSync(new URL(file, import.meta.url)))
  if (found?.validate(bytes) !== true) return undefined
  const { exports } = new found.Instance(new found.Module(bytes), {})
  // Built from rates.c: its exports are those.
  return exports as unknown as Exports
}

/** The best rate of several tries, each of some tens of milliseconds: the machine's, not its neighbours'. */
const best = (work: number, run: () => void): number => {
  run()
  let most = 0
  for (let i = 0; i < 30; i++) {
    const start = performance.now()
    run()
    most = Math.max(most, (1000 * work) / (performance.now() - start))
  }
  return most
}

const rounds = 2e6
const operations = 12 * 4 * 2 * rounds
const chains = (rates: Exports | undefined): number | null =>
  rates === undefined ? null : best(operations, () => rates.chains(rounds, 0.999, 0.001))

const plain = load("rates.wasm")
if (plain === undefined) throw new Error("this machine has no WebAssembly SIMD")
const sizes = { first: 16 * 2 ** 10, second: 512 * 2 ** 10, memory: 256 * 2 ** 20 }
const at = plain.room(sizes.memory)
if (at === 0) throw new Error("the memory cannot grow")
const traffic = (run: (bytes: number, passes: number) => void) =>
  Object.fromEntries(
    Object.entries(sizes).map(([name, bytes]) => {
      const passes = Math.max(1, Math.round((512 * 2 ** 20) / bytes))
      return [name, best(bytes * passes, () => run(bytes, passes))]
    }),
  )
console.log(
  JSON.stringify({
    plain: chains(plain),
    relaxed: chains(load("rates-relaxed.wasm")),
    read: traffic((bytes, passes) => plain.read(at, bytes, passes)),
    write: traffic((bytes, passes) => plain.write(at, bytes, passes, 1)),
  }),
)
