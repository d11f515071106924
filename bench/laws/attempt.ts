import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { messageOf } from "../harness/lines.ts"
import { run } from "../harness/process.ts"
import { csv, groupColumn, rowsOf } from "./data.ts"
import type { Message, Run, Task } from "./record.ts"
import type { Case, ProblemSet } from "./sets.ts"
import type { Solver } from "./solvers.ts"

/** A search has this long beyond its budget to start, rank and end; then its process is killed. */
const grace = 30

/** Files of results have no digits that say nothing. */
const short = (value: number): number => Number(value.toPrecision(4))

const shortened = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : short(value)

/** Runs a solver on a case, in a process of its own. The run is not judged yet. */
export const attempt = async (
  solver: Solver,
  task: Task,
  set: ProblemSet,
  one: Case,
  { budget, by, slot }: { readonly budget: number; readonly by: string; readonly slot: number },
): Promise<Run> => {
  const folder = mkdtempSync(join(tmpdir(), "laws-"))
  try {
    const rows = rowsOf(set, one, task.noise, task.seed, task.groups)
    const file = join(folder, "data.csv")
    writeFileSync(file, csv(rows))
    let ending: Extract<Message, { readonly ending: unknown }>["ending"] | undefined
    let last: { readonly seconds: number; readonly law: string } | undefined
    const { killed, end, wall } = await run(
      solver({
        file,
        target: rows.target,
        seconds: budget,
        seed: task.seed,
        ...(task.groups !== undefined && { group: groupColumn }),
      }),
      "",
      slot,
      budget + grace,
      (line) => {
        const message = messageOf<Message>(line)
        if (message === undefined) return
        if ("improvement" in message) last = message.improvement
        else ending = message.ending
      },
      task.cores,
    )
    const unfinished = last === undefined ? [] : [{ expression: last.law, probability: null }]
    return {
      ...task,
      budget,
      answers: (ending?.answers ?? unfinished).map((answer) => ({
        ...answer,
        probability: shortened(answer.probability),
      })),
      wall: short(wall),
      seconds: shortened(ending?.seconds),
      cpu: shortened(ending?.cpu),
      hit: shortened(ending?.hit),
      ...(ending?.says !== undefined && { says: ending.says }),
      stop: ending?.stop ?? (killed ? "killed" : "failed"),
      ...(ending === undefined && !killed ? { error: end } : {}),
      by: ending?.version === undefined ? by : `${ending.version}; ${by}`,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
