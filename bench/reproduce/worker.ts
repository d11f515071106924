/**
 * A process that runs cases one after the other: each line of standard input is a case, each line of standard output
 * its answer. It is kept for many cases, so that starting and warming up are not measured.
 */
import { createInterface } from "node:readline"
import type { Answer } from "../harness/worker.ts"
import type { Case } from "./case.ts"
import { runFit } from "./fit.ts"
import { runGradient } from "./gradient.ts"

const execute = (one: Case): Promise<unknown> => {
  switch (one.kind) {
    case "fit":
      return runFit(one)
    case "gradient":
      return runGradient(one)
    case "peer":
      throw new Error("other systems run in processes of their own")
  }
}

/** The first fit of a process is slower: what it compiles stays. */
const warmUp: Case = {
  kind: "fit",
  problem: "sim2",
  features: "reduced",
  noise: 0,
  seed: 0,
  rows: 400,
  settings: { steps: 50, draws: 300 },
}

await execute(warmUp)
for await (const line of createInterface({ input: process.stdin })) {
  const one: Case = JSON.parse(line)
  const answer: Answer = await execute(one).then(
    (result) => ({ result }),
    (error: unknown) => ({
      error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    }),
  )
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
