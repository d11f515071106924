import { spawn } from "node:child_process"
import { describe, expect, it } from "vitest"
import * as Resident from "../../../bench/limits/resident.ts"

/** Runs a text of a program until it ends. @returns the peak that was seen, in MiB */
const peakOf = async (program: string): Promise<number> => {
  const child = spawn(process.execPath, ["-e", program], { stdio: "ignore" })
  const resident = Resident.watch(child.pid!)
  await new Promise((resolve) => child.on("close", resolve))
  return resident.close()
}

/** Holds 120 MiB for a moment. */
const held = "const a = Buffer.alloc(120 * 2 ** 20, 1); setTimeout(() => a, 300)"

describe.skipIf(process.platform !== "linux")("the peak of resident memory seen from outside", () => {
  it("is that of a process, and stays when it has given memory back", async () => {
    const [empty, full] = [await peakOf("setTimeout(() => 0, 300)"), await peakOf(held)]
    expect(empty).toBeGreaterThan(20)
    expect(full - empty).toBeGreaterThan(100)
    expect(full - empty).toBeLessThan(150)
  })

  it("has the processes that it begins, too", async () => {
    const nested = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(held)}])`
    const alone = await peakOf("setTimeout(() => 0, 300)")
    expect((await peakOf(nested)) - alone).toBeGreaterThan(120)
  })

  it("is 0 of no process", () => {
    expect(Resident.peakOf(2 ** 22 + 1)).toBe(0)
  })
})
