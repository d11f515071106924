/** The work of a soak: each task is what users do, done and cleaned up. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { gzipSync } from "node:zlib"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Interrupt } from "../../src/cli/Interrupt.ts"
import * as LibraryFitter from "../../src/cli/LibraryFitter.ts"
import { program } from "../../src/cli/Program.ts"
import { Screen } from "../../src/cli/Screen.ts"
import * as Chunks from "../../src/data/Chunks.ts"
import type { Dataset } from "../../src/data/Data.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as GroupLaw from "../../src/models/groupLaw.ts"
import * as Law from "../../src/models/law.ts"
import * as StreamedLaw from "../../src/models/streamedLaw.ts"
import * as Vasst from "../../src/models/vasst.ts"
import * as Rng from "../../src/random/Rng.ts"
import * as Backend from "../../src/vi/Backend.ts"
import { vasst } from "../limits/measure.ts"

/** Measures runs that have a limit. */
export interface Meter {
  /** takes the time of a run with a limit, in seconds */
  readonly time: (limit: number, run: () => Promise<unknown>) => Promise<void>
  /** the limit of memory and the peak of a process, in MB */
  readonly memory: (limit: number, peak: number) => void
}

/** A task; `round` makes its data others each time. */
export type Task = (round: number, meter: Meter) => Promise<unknown>

/** y = a x0 x1 + b / x2 with noise; the numbers are others in each round. */
const table = (round: number, rows = 200): Dataset => {
  const key = Rng.fold(Rng.key(round), "soak")
  const columns = [0, 1, 2].map((j) =>
    Rng.uniform(Rng.fold(key, j), new Float64Array(rows)).map((value) => 1 + 4 * value),
  )
  const errors = Rng.normal(Rng.fold(key, "noise"), new Float64Array(rows))
  const [x0, x1, x2] = columns
  return {
    features: ["x0", "x1", "x2"],
    columns,
    target: "y",
    y: errors.map(
      (error, i) => (1 + (round % 7)) * x0![i]! * x1![i]! + (2 + (round % 5)) / x2![i]! + 0.1 * error,
    ),
    rows,
  }
}

const csv = ({ features, columns, target, y }: Dataset): string =>
  [
    [...features, target].join(","),
    ...Array.from(y, (value, i) => [...columns.map((column) => column[i]), value].join(",")),
    "",
  ].join("\n")

/** Uses a folder that is removed afterwards. */
const withFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(path.join(tmpdir(), "soak-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const services = Layer.mergeAll(
  Layer.succeed(Screen, {
    out: () => undefined,
    err: () => undefined,
    columns: { out: undefined, err: undefined },
  }),
  Layer.succeed(Interrupt, { during: (_, use) => use(new AbortController().signal) }),
  LibraryFitter.layer,
  NodeServices.layer,
)

/** A command of the program, in this process. */
const command = async (...args: ReadonlyArray<string>): Promise<void> => {
  const code = await Effect.runPromise(
    Effect.provide(program(args, { version: "soak", debug: true }), services),
  )
  if (code !== 0) throw new Error(`vasst ${args.join(" ")} ended with code ${code}`)
}

const effort = 6000

/** The tasks by their names, in the order in which a round does them. */
export const tasks: Readonly<Record<string, Task>> = {
  "a fit in this thread": (round) =>
    Effect.runPromise(Law.fit(table(round), { effort, workers: 1 }).pipe(Effect.provide(Fit.seed(round)))),
  "a fit by two threads that start and stop": (round, meter) =>
    meter.time(2, () => Effect.runPromise(Law.fit(table(round), { time: 2, workers: 2 }))),
  "a fit by threads that is interrupted": (round) =>
    Effect.runPromise(Law.fit(table(round), { time: 60, workers: 2 }).pipe(Effect.timeoutOption(1500))),
  "a stream": (round) =>
    Effect.runPromise(
      StreamedLaw.fit(Chunks.ofDataset(table(round, 20_000), 3000), { effort, sample: 500, workers: 1 }),
    ),
  groups: (round) => {
    const { columns, y, ...data } = table(round)
    const star = y.map((_, i) => i % 4)
    return Effect.runPromise(
      GroupLaw.fit(
        {
          ...data,
          features: [...data.features, "star"],
          columns: [...columns, star],
          y: y.map((value, i) => value + star[i]!),
        },
        { group: "star", effort, workers: 1 },
      ),
    )
  },
  "an ELBO on the own kernels": (round) =>
    Effect.runPromise(
      Vasst.fit(table(round), { steps: 60, draws: 100 }).pipe(Effect.provide(Backend.layer("simd"))),
    ),
  "an ELBO with tensors": (round) =>
    Effect.runPromise(
      Vasst.fit(table(round, 60), { steps: 5, draws: 20 }).pipe(Effect.provide(Backend.layer("cpu"))),
    ),
  "runs of the program that write files": (round, meter) =>
    withFolder(async (folder) => {
      const at = (name: string): string => path.join(folder, name)
      const data = csv(table(round))
      writeFileSync(at("a.csv"), data)
      writeFileSync(at("b.csv.gz"), gzipSync(data))
      const limits = ["--target", "y", "--effort", String(effort), "--workers", "1"]
      await command(
        "fit",
        at("a.csv"),
        ...limits,
        "--run",
        at("run"),
        "--every",
        "0.2",
        "--report",
        at("a.html"),
      )
      await command("resume", at("run"))
      await command("predict", at("run"), at("a.csv"))
      await command("fit", at("b.csv.gz"), ...limits, "--out", at("out"))
      await command("fit", at("a.csv"), ...limits, "--stream", "always")
      await meter.time(1, () => command("fit", at("a.csv"), "--target", "y", "--time", "1", "--workers", "1"))
    }),
  "a process with a limit of memory": (round, meter) =>
    withFolder(async (folder) => {
      const file = path.join(folder, "a.csv")
      writeFileSync(file, csv(table(round, 2000)))
      const limit = 230
      const { code, stderr, megabytes, seen } = await vasst(
        ["fit", file, "--target", "y", "--effort", String(10 * effort), "--memory", `${limit}MB`],
        "source",
      )
      if (code !== 0) throw new Error(`vasst fit --memory ended with code ${code}: ${stderr}`)
      meter.memory(limit, (Math.max(megabytes, seen) * 2 ** 20) / 1e6)
    }),
  "jobs over SQLite": (round) =>
    withFolder(async (folder) => {
      const at = (name: string): string => path.join(folder, name)
      const names = ["a", "b", "c"]
      names.forEach((name, k) => writeFileSync(at(`${name}.csv`), csv(table(round + k, 60))))
      writeFileSync(
        at("list.jsonl"),
        names
          .map((name) => `${JSON.stringify({ data: `${name}.csv`, target: "y", effort: 2000 })}\n`)
          .join(""),
      )
      await command("batch", at("list.jsonl"), "--out", at("out"), "--workers", "2")
    }),
}
