/** Networks of workers, from the measurements. */
import type { Measured } from "./model.ts"
import { usualLease } from "../../src/cli/batch/WorkerProcess.ts"
import { signs } from "../../src/jobs/Runner.ts"
import { type Network, simulate } from "./simulation.ts"

type Part = Pick<
  Network,
  | "flush"
  | "bandwidth"
  | "own"
  | "claim"
  | "stored"
  | "keep"
  | "keepState"
  | "end"
  | "sign"
  | "signs"
  | "network"
>

/** Bytes of the log for a row that changes, without its contents. */
const row = 500

/** The times of the server and of the log's disk, taken from those of statements. */
const parts = ({ statements, sizes }: Measured): Part => {
  const { claim, idle, stored, keep, keepState, end } = statements
  // A statement that only reads tells what an answer takes without a flush.
  const flush = Math.max(0, keep.wall - idle.wall - (keep.server - idle.server))
  const state = keepState.wall - keep.wall - (keepState.server - keep.server)
  const bandwidth = sizes.state / Math.max(1e-4, state)
  return {
    flush,
    bandwidth,
    own: claim.worker + stored.worker + end.worker,
    // What a program waits for beside the server and its own work.
    network: 0,
    claim: { cpu: claim.server, bytes: row },
    stored: { cpu: stored.server, bytes: 0 },
    keep: { cpu: keep.server, bytes: row },
    keepState: { cpu: keepState.server, bytes: sizes.state },
    end: { cpu: end.server, bytes: row + sizes.result },
    sign: usualLease / signs,
    signs,
  }
}

/** The rates of workers whose jobs take no time, on the machine of the measurement, beside the rates that were measured. */
export const checks = (measured: Measured, random: () => number) =>
  measured.empty.map(({ workers, rate }) => ({
    workers,
    measured: rate,
    simulated: simulate({
      ...parts(measured),
      workers,
      jobs: 20_000,
      work: 0,
      cores: 2,
      shared: true,
      random,
    }).rate,
  }))

/** Workers with cores of their own, and a server elsewhere whose queue holds a million jobs. */
export const far = (
  measured: Measured,
  wanted: Pick<Network, "workers" | "jobs" | "work" | "random">,
): Network => ({
  ...parts(measured),
  claim: { cpu: measured.statements.claimOfMillion.server, bytes: row },
  cores: 4,
  shared: false,
  network: 0.0005,
  ...wanted,
})
