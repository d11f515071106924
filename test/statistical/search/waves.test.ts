// Waves whose frequencies no rough value shows: in two columns at once, of many periods, beside a trend, in a product.
import { describe, expect, it } from "vitest"
import * as Rng from "../../../src/random/Rng.ts"
import { farthest, type SampledLaw } from "../../support/sampledLaw.ts"

const cases: Readonly<Record<string, SampledLaw>> = {
  "that travels": {
    law: ([x, t]) => 2 * Math.sin(3.1 * x! - 4.7 * t! + 0.3),
    low: 0,
    high: 4,
    columns: 2,
    rows: 200,
    noise: 0.1,
  },
  "that travels beside a product": {
    law: ([x, t]) => x! * t! + Math.sin(3.1 * x! - 4.7 * t!),
    low: 0,
    high: 4,
    columns: 2,
    rows: 150,
    noise: 0.005,
  },
  "of 45 periods": {
    law: ([x]) => 3 + 0.7 * Math.sin(71 * x! + 1),
    low: 0,
    high: 4,
    columns: 1,
    rows: 200,
    noise: 0.1,
  },
  "beside a trend": {
    law: ([x]) => 0.4 * x! ** 2 + 0.7 * Math.sin(21 * x! + 1),
    low: 0,
    high: 4,
    columns: 1,
    rows: 100,
    noise: 0.02,
  },
  "in a product": {
    law: ([x, t]) => Math.sin(9.1 * x! * t!) ** 2,
    low: 0,
    high: 2,
    columns: 2,
    rows: 120,
    noise: 0.001,
  },
  "whose height grows": {
    law: ([x]) => 1.7 * x! * Math.sin(5.3 * x!),
    low: -1.5,
    high: 1.5,
    columns: 1,
    rows: 25,
    noise: 0,
  },
}

describe("a wave", () => {
  it.each(Object.entries(cases))(
    "%s is found",
    async (_, one) => {
      const search = { key: Rng.fold(Rng.key(7), "waves"), effort: 250_000 }
      expect(await farthest(one, search)).toBeLessThan(Math.max(1e-3, 2 * one.noise))
    },
    60_000,
  )
})
