import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make, problems } from "../problems.ts"

/** Hands over a CSV file of a problem's features and `y`, with noise 0.1; the file is gone afterwards. */
export const withCsv = <A>(problem: string, rows: number, use: (file: string) => A): A => {
  const found = problems.find(({ name }) => name === problem)
  if (found === undefined) throw new Error(`there is no problem ${problem}`)
  const { features, columns, y } = make(found, 0.1, 1, rows).data
  const folder = mkdtempSync(join(tmpdir(), "vasst-"))
  try {
    const file = join(folder, "data.csv")
    const lines = Array.from({ length: rows }, (_, i) =>
      [...columns.map((column) => column[i]!), y[i]!].join(),
    )
    writeFileSync(file, [[...features, "y"].join(), ...lines].join("\n"))
    return use(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
