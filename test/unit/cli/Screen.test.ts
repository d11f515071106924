import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Needed from "../../support/needed.ts"

/** Runs the program on a pseudo terminal, by Python's module for these. */
const terminal = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): string => {
  const script = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))"
  const node = [
    process.execPath,
    "--conditions=vasst-source",
    "--disable-warning=ExperimentalWarning",
    "src/cli/main.ts",
  ]
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...rest } = process.env
  const { status, stdout } = spawnSync("python3", ["-c", script, ...node, ...args], {
    encoding: "utf8",
    env: { ...rest, TERM: "xterm", ...env },
  })
  expect(status).toBe(0)
  return stdout
}

const fit = ["fit", "examples/data/boyle.csv", "--target", "pressure", "--effort", "30000", "--workers", "1"]
const missing = spawnSync("python3", ["-c", "import pty"]).status === 0 ? undefined : "Python"

describe.skipIf(Needed.skipped("tests of a terminal", missing))("on a terminal", () => {
  it("a fit says where it stands, and removes that line", () => {
    const text = terminal(fit, {})
    expect(text).toMatch(/\r\d+ s +(searching|log posterior)/)
    expect(text).toMatch(/^pressure = /m)
  })

  it("a fit over groups says which rows its law so far is of, and at last that of all groups", () => {
    const folder = mkdtempSync(join(tmpdir(), "vasst-screen-"))
    const file = join(folder, "decay.csv")
    const rows = ["A", "B", "C"].flatMap((sample, i) =>
      Array.from({ length: 12 }, (_, k) => `${sample},${k + 1},${(i + 1.3) * (k + 1) ** 2 + 0.1 * (k % 3)}`),
    )
    writeFileSync(file, `sample,t,way\n${rows.join("\n")}\n`)
    const text = terminal(
      ["fit", file, "--target", "way", "--group", "sample", "--effort", "40000", "--workers", "1"],
      {},
    )
    rmSync(folder, { recursive: true })
    expect(text).toMatch(/\r\d+ s +in [ABC]  +log posterior -?[\d.]+ /)
    expect(text).toMatch(/\r\d+ s +in all groups  +log posterior -?[\d.]+ .*% unseen/)
  })

  it("that is dumb there is no such line, and help has no colours", () => {
    expect(terminal(fit, { TERM: "dumb" })).not.toMatch(/searching|scored a second/)
    expect(terminal(["--help"], { TERM: "dumb" })).not.toContain("\u001b[")
  })

  it("help has colours unless NO_COLOR says no", () => {
    expect(terminal(["--help"], {})).toContain("\u001b[")
    expect(terminal(["--help"], { NO_COLOR: "1" })).not.toContain("\u001b[")
  })
})

describe("in a pipe", () => {
  const piped = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, ["--conditions=vasst-source", "src/cli/main.ts", ...args], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    })

  it("there is neither, unless FORCE_COLOR says so", () => {
    expect(piped(["--help"]).stdout).not.toContain("\u001b[")
    expect(piped(["--help"], { FORCE_COLOR: "1" }).stdout).toContain("\u001b[")
    expect(piped(fit).stderr).toBe("backend: simd\n")
  })
})
