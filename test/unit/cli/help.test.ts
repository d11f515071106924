import { describe, expect, it } from "vitest"
import { run } from "../../support/cli.ts"

describe("vasst --help", () => {
  it("shows for each command an example, and for each of its flags the default", async () => {
    // The names of commands are what the help of the program lists.
    const [, listed = ""] = (await run(["--help"])).stdout.split("SUBCOMMANDS\n")
    const commands = [...listed.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!)
    expect(commands).toHaveLength(14)
    for (const command of commands) {
      const { code, stdout } = await run([command, "--help"])
      const [, flags] = /\nFLAGS\n([^]*?)\n\n/.exec(stdout) ?? []
      // A description may go on in further lines, which begin beneath it.
      const each = flags?.split(/\n(?= {2}-)/) ?? []
      const lacking = each.filter((flag) => !/\((?:[^()]|\([^()]*\))*\b(default|required)\b/.test(flag))
      const example = /\nEXAMPLES\n {2}# \S.*\n {2}(vasst \w+)/.exec(stdout)?.[1]
      expect({ command, code, lacking, example }).toEqual({
        command,
        code: 0,
        lacking: [],
        example: `vasst ${command}`,
      })
    }
  })

  it("shows the flags of fit, each with its default", async () => {
    const { code, stdout } = await run(["fit", "--help"])
    expect(code).toBe(0)
    for (const flag of [
      "--target NAME",
      "--features NAMES",
      "--operators NAMES",
      "--constants NUMBERS",
      "--learned SIZE",
      "--links NAMES",
      "--trees K",
      "--depth D",
      "--objective",
      "--steps T",
      "--draws H",
      "--learning-rate RATE",
      "--test-fraction FRACTION",
      "--time SECONDS",
      "--seed SEED",
      "--backend",
      "--out DIR",
      "--json",
    ])
      expect(stdout).toContain(flag)
  })
})
