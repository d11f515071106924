import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { Measured } from "../../../bench/jobs/model.ts"
import { checks, far } from "../../../bench/jobs/networks.ts"
import { type Network, simulate } from "../../../bench/jobs/simulation.ts"
import * as Rng from "../../../src/random/Rng.ts"

const random = () => {
  const generator = Rng.generator(Rng.fold(Rng.key(1), "jobs"))
  return () => generator.next()
}
const network = (changes: Partial<Network> = {}): Network => ({
  workers: 1,
  jobs: 4000,
  work: 0,
  sign: 10,
  cores: 2,
  shared: false,
  flush: 0,
  bandwidth: 1e8,
  network: 0,
  own: 0,
  claim: { cpu: 0.001, bytes: 1 },
  stored: { cpu: 0.0005, bytes: 0 },
  keep: { cpu: 0.001, bytes: 1 },
  keepState: { cpu: 0.003, bytes: 1 },
  signs: 2,
  end: { cpu: 0.0015, bytes: 1 },
  random: random(),
  ...changes,
})

describe("the simulation of workers", () => {
  it("of one worker is the sum of what its statements take", () => {
    expect(simulate(network()).rate).toBeCloseTo(1 / 0.003, 0)
    const slow = network({ flush: 0.004, network: 0.001, own: 0.002, work: 0.05 })
    // Two of the three statements write.
    expect(1 / simulate(slow).rate).toBeCloseTo(0.003 + 2 * 0.004 + 3 * 0.001 + 0.002 + 0.05, 2)
  })

  it("of many is what the processors of the server give, and no more", () => {
    const { rate, cpu } = simulate(network({ workers: 50 }))
    expect(rate).toBeCloseTo(2 / 0.003, -1)
    expect(cpu).toBeGreaterThan(0.99)
  })

  it("of many that write has their flushes in groups", () => {
    const { rate, disk } = simulate(network({ workers: 50, flush: 0.01, cores: 1000 }))
    // A job waits for two flushes, each of which is the next one after that which runs: four for each job of a worker.
    expect(rate).toBeCloseTo(50 / 0.04, -1)
    expect(disk).toBeGreaterThan(0.9)
  })

  it("of long jobs counts signs of life", () => {
    const { cpu, rate } = simulate(network({ workers: 100, work: 100, jobs: 2000, cores: 1 }))
    // Each worker gives a sign each 10 s while it works, and a state with each second one.
    const signs = (seconds: number): number => 1 / (Math.exp(seconds / 100) - 1)
    expect(cpu / rate).toBeCloseTo(0.003 + 0.001 * signs(10) + 0.002 * signs(20), 3)
  })
})

it("the committed measurement is met by the simulation at one and two workers", () => {
  // Written by bench/jobs/measure.ts.
  const measured = JSON.parse(readFileSync("bench/results/jobs.json", "utf8")) as Measured
  for (const { measured: rate, simulated } of checks(measured, random())) {
    expect(simulated / rate).toBeGreaterThan(0.6)
    expect(simulated / rate).toBeLessThan(1.6)
  }
  const few = simulate(far(measured, { workers: 1000, jobs: 20_000, work: 100, random: random() }))
  // A thousand workers with jobs of minutes leave the server time.
  expect(few.cpu).toBeLessThan(0.8)
})
