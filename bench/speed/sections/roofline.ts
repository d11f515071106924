import { operations } from "../bare/kernel.ts"
import { type Contender, inTurn, script } from "../contender.ts"
import { blocks, interval, number, table } from "../../harness/markdown.ts"
import { pool, range, type Quantiles } from "../../harness/statistics.ts"
import type { Section } from "./section.ts"

type Levels = Readonly<Record<"first" | "second" | "memory", number>>

interface Rates {
  readonly plain: number
  readonly relaxed: number | null
  readonly read: Levels
  readonly write: Levels
}

const samples = 8
const rows = 1800

/** Median milliseconds of a contender that times its own steps; undefined if it is not here. */
const step = (contender: Contender, rounds: number): number | undefined => {
  const [outcome] = inTurn<Quantiles>([contender], rounds, ({ value }) => `${number(value.median)} ms`)
  return outcome!.runs.length === 0 ? undefined : pool(outcome!.runs.map(({ value }) => value)).median
}

export const section: Section = {
  name: "roofline",
  write: (rounds) => {
    const [outcome] = inTurn<Rates>(
      [script("the machine", "roofline/rates.ts")],
      rounds,
      ({ value }) => `${number(value.plain / 1e9)} Gop/s`,
    )
    const rates = outcome!.runs.map(({ value }) => value)
    const plain = range(rates.map((rate) => rate.plain / 1e9))
    const relaxed = range(rates.flatMap(({ relaxed: rate }) => (rate === null ? [] : [rate / 1e9])))
    const hasRelaxed = Number.isFinite(relaxed.low)
    const most = hasRelaxed ? relaxed.high : plain.high
    const levels = (["read", "write"] as const).map((way) => [
      way,
      ...(["first", "second", "memory"] as const).map((level) =>
        number(range(rates.map((rate) => rate[way][level] / 1e9)).high),
      ),
    ])
    const million = (operations * samples * rows) / 1e6
    const shares = (
      [
        ["bare kernel", plain.high, script("bare kernel", "bare/step.ts")],
        ["bare kernel, relaxed SIMD", most, script("bare kernel, relaxed SIMD", "bare/step.ts", "--relaxed")],
        ["vasst, simd: a whole step", most, script("vasst, simd", "step.ts", "simd", 2000)],
      ] as const
    ).flatMap(([name, attainable, contender]) => {
      const time = step(contender, rounds)
      if (time === undefined) return []
      const rate = million / time
      return [
        [name, number(time), number(rate), number(attainable), `${number((100 * rate) / attainable)} %`],
      ]
    })
    return blocks(
      "## Roofline",
      `The peak rates of one thread of this machine in WebAssembly SIMD ([\`bench/speed/roofline/rates.c\`](../bench/speed/roofline/rates.c)), best of ${rounds} rounds: float32 operations
in registers, twelve independent chains of a product and a sum, apart and fused (relaxed SIMD); bytes between registers
and 16 KiB (first-level cache), 512 KiB (second-level cache) and 256 MiB (memory).`,
      table(
        ["operations", "10^9 a second", "range"],
        [
          ["product, sum", number(plain.high), interval(plain)],
          ...(hasRelaxed ? [["fused", number(relaxed.high), interval(relaxed)]] : []),
        ],
      ),
      table(["10^9 bytes a second", "first level", "second level", "memory"], levels),
      `The share of the peak rate in a step at the paper's size. The work is that of the bare kernel, ${number(million)} million float32
operations (${operations} a row and sample; a fused pair counts as two), for every contender.`,
      table(["", "step, ms", "10^9 a second", "attainable", "share"], shares),
    )
  },
}
