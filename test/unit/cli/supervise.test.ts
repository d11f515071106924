import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "vasst-supervise-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program that supervises itself, with a heap of some megabytes. */
const run = (heap: number, body: string) => {
  const program = join(folder, "program.mjs")
  const supervise = pathToFileURL("bin/supervise.mjs").href
  writeFileSync(
    program,
    `import { isWanted, run } from ${JSON.stringify(supervise)}
if (isWanted()) run(${JSON.stringify(program)})
else {
  process.stderr.write("begun\\n")
  ${body}
}
`,
  )
  const { VASST_SUPERVISED: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${heap}`, program, "one", "two words"],
    { encoding: "utf8", env },
  )
  return { status, stdout, stderr }
}

describe("a program with a small heap", () => {
  it("that fills it ends with a sentence, and not with a trace", () => {
    const { status, stderr } = run(
      20,
      "const all = []; for (;;) all.push({ at: all.length, of: [all.length] })",
    )
    expect(stderr).toMatch(
      /^begun\nvasst: this needs more memory than the \d+ MB that Node has; set NODE_OPTIONS=--max-old-space-size=1024, or ask for fewer rows, columns, trees or workers\n$/,
    )
    expect(status).toBe(1)
  })

  it("ends as the program does, with its output and its arguments", () => {
    const body =
      'process.stdout.write(process.argv.slice(2).join("|")); process.stderr.write("said"); process.exitCode = 3'
    expect(run(64, body)).toEqual({ status: 3, stdout: "one|two words", stderr: "begun\nsaid" })
    expect(run(2048, "process.stdout.write(String(process.env.VASST_SUPERVISED))").stdout).toBe("undefined")
  })
})
