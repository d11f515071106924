import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs Node on a program in a process of its own; `stderr` is called with all that came there so far. */
const node = (
  args: ReadonlyArray<string>,
  options: {
    readonly stdin?: string
    readonly stderr?: (text: string, press: (signal?: NodeJS.Signals) => void) => void
  } = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: "pipe" })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk)
    })
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk)
      options.stderr?.(stderr, (signal = "SIGINT") => child.kill(signal))
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    child.stdin.end(options.stdin ?? "")
  })

const main = "src/cli/main.ts"
const withoutTensors = ["--import", "./test/support/refuseTensors.mjs", main]

describe("the program", () => {
  it("lists operators without tensors", async () => {
    const { code, stdout, stderr } = await node([...withoutTensors, "operators"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("tanh(x)")
  })

  it("knows its version", async () => {
    const { code, stdout } = await node([...withoutTensors, "--version"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^vasst \d+\.\d+\.\d+\n$/)
  })

  it("complains about the input without tensors", async () => {
    expect(
      await node([...withoutTensors, "fit", "-", "--target", "y"], { stdin: "x,y\n1,2\n2,oops\n" }),
    ).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'vasst: standard input: row 2 (line 3), column "y": "oops" is not a number; ' +
        "the target must be a number in every row\n",
    })
  })

  it.skipIf(!existsSync("/dev/full"))("says that its output cannot be written", async () => {
    const child = spawn("bash", ["-c", '"$0" "$@" > /dev/full', process.execPath, main, "operators"])
    let stderr = ""
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk)
    })
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject)
      child.on("close", resolve)
    })
    expect(stderr).toBe("vasst: standard output cannot be written: no space left on the device\n")
    expect(code).toBe(1)
  })

  it("does not mind a reader that has seen enough", async () => {
    const script = `"$0" "$@" | true; echo "\${PIPESTATUS[0]}"`
    const ended = await new Promise<Ended>((resolve, reject) => {
      const child = spawn("bash", ["-c", script, process.execPath, main, "operators"], {
        stdio: "pipe",
      })
      let stdout = ""
      let stderr = ""
      child.stdout.on("data", (chunk) => {
        stdout += String(chunk)
      })
      child.stderr.on("data", (chunk) => {
        stderr += String(chunk)
      })
      child.on("error", reject)
      child.on("close", (code) => resolve({ code, stdout, stderr }))
    })
    expect(ended).toEqual({ code: 0, stdout: "0\n", stderr: "" })
  })
})

describe("an output that nobody reads", () => {
  const boyle = [
    "fit",
    "examples/data/boyle.csv",
    "--target",
    "pressure",
    "--effort",
    "2000",
    "--workers",
    "1",
  ]

  const list = (folder: string): string => {
    const file = join(folder, "list.jsonl")
    const data = join(process.cwd(), "examples/data/boyle.csv")
    writeFileSync(file, JSON.stringify({ name: "boyle", data, target: "pressure", effort: 2000 }))
    return file
  }
  /** Commands that write files, and the files of a folder that there are in the end. */
  const commands: ReadonlyArray<
    readonly [string, (folder: string) => ReadonlyArray<string>, ReadonlyArray<string>]
  > = [
    [
      "fit --out",
      (folder) => [...boyle, "--out", join(folder, "own")],
      ["fit.json", "models.csv", "record.json", "report.txt"],
    ],
    ["fit --report", (folder) => [...boyle, "--report", join(folder, "own", "law.html")], ["law.html"]],
    [
      "fit --run",
      (folder) => [...boyle, "--run", join(folder, "own")],
      ["fit.json", "models.csv", "record.json", "report.txt", "run.json", "search.0.state"],
    ],
    [
      "batch --out",
      (folder) => ["batch", list(folder), "--workers", "1", "--out", join(folder, "own")],
      ["boyle.json", "jobs.sqlite", "results.csv"],
    ],
  ]

  describe.each(commands)("%s", (_, args, files) => {
    it.each(["| true", "> /dev/full"])("does not lose files (%s)", (to) => {
      const folder = mkdtempSync(join(tmpdir(), "vasst-main-"))
      mkdirSync(join(folder, "own"))
      spawnSync("bash", ["-c", `"$0" "$@" ${to}`, process.execPath, main, ...args(folder)])
      expect(readdirSync(join(folder, "own")).sort()).toEqual(files)
      rmSync(folder, { recursive: true })
    })
  })
})

describe("Ctrl-C during a fit", () => {
  const fit = (seed: string) => [
    "test/support/slowCli.ts",
    "fit",
    "examples/data/boyle.csv",
    "--target",
    "pressure",
    "--seed",
    seed,
  ]

  it("prints what there is", async () => {
    let pressed = false
    const { code, stdout, stderr } = await node([...fit("0"), "--json"], {
      stderr: (text, press) => {
        if (!pressed && text.includes("started")) {
          pressed = true
          press()
        }
      },
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "interrupted", models: [{}, {}] })
    expect(stderr).toBe("started\nstopping; ranking the laws found so far (Ctrl-C again to leave at once)\n")
  })

  it.each(["SIGTERM", "SIGHUP"] as const)("%s prints what there is, too", async (signal) => {
    let pressed = false
    const { code, stdout } = await node([...fit("0"), "--json"], {
      stderr: (text, press) => {
        if (!pressed && text.includes("started")) {
          pressed = true
          press(signal)
        }
      },
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "interrupted" })
  })

  it("of npx alone ends the program with what there is", async () => {
    // The shell in the place of npx ends at the first signal, which the program does not hear of.
    const script = `"$0" "$@" & wait`
    const args = ["-c", script, process.execPath, ...fit("0"), "--json"]
    const ended = await new Promise<string>((resolve, reject) => {
      const child = spawn("bash", args, { stdio: "pipe", env: { ...process.env, npm_command: "exec" } })
      let stdout = ""
      child.stdout.on("data", (chunk) => {
        stdout += String(chunk)
      })
      child.stderr.on("data", (chunk) => {
        if (String(chunk).includes("started")) child.kill("SIGTERM")
      })
      child.on("error", reject)
      child.on("close", () => resolve(stdout))
    })
    expect(JSON.parse(ended)).toMatchObject({ stopReason: "interrupted" })
  })

  it("twice ends the program with 130", async () => {
    let presses = 0
    const { code, stdout } = await node(fit("1"), {
      stderr: (text, press) => {
        const due = text.includes("stopping") ? 2 : text.includes("started") ? 1 : 0
        if (presses < due) {
          presses++
          press()
        }
      },
    })
    expect([code, stdout]).toEqual([130, ""])
  })

  it("twice ends the program while it ranks, too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "vasst-main-"))
    const file = join(folder, "table.csv")
    // Its ranking takes seconds.
    const rows = Array.from({ length: 2000 }, (_, i) => {
      const [a, b] = [1 + (i % 83) / 20, 1 + (i % 61) / 15]
      return `${a},${b},${Math.sin(a) * b + Math.exp(-a) + (((i * 7919) % 101) - 50) / 500}`
    })
    writeFileSync(file, ["a,b,y", ...rows, ""].join("\n"))
    let presses = 0
    const { code, stdout } = await node([main, "fit", file, "--target", "y", "--workers", "1"], {
      stderr: (text, press) => {
        const due = text.includes("stopping") ? 2 : text.includes("backend") ? 1 : 0
        if (presses < due) {
          presses++
          press()
        }
      },
    })
    rmSync(folder, { recursive: true })
    expect([code, stdout]).toEqual([130, ""])
  })
})
