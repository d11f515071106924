import { spawn } from "node:child_process"
import { createServer } from "node:http"
import { expect, it } from "vitest"

it("spans and metrics of a fit go to the collector that the environment names", async () => {
  const received = new Map<string, string>()
  const collector = createServer((request, response) => {
    let body = ""
    request.on("data", (part: Buffer) => (body += part.toString()))
    request.on("end", () => {
      received.set(request.url ?? "", (received.get(request.url ?? "") ?? "") + body)
      response.end("{}")
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
  try {
    const address = collector.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const run = (env: Readonly<Record<string, string>>) =>
      new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) => {
        const args = ["fit", "examples/data/boyle.csv", "--target", "pressure", "--effort", "500", "--json"]
        const child = spawn(
          process.execPath,
          ["--disable-warning=ExperimentalWarning", "src/cli/main.ts", ...args],
          { env: { ...process.env, ...env } },
        )
        let [out, err] = ["", ""]
        child.stdout.on("data", (part: Buffer) => (out += part.toString()))
        child.stderr.on("data", (part: Buffer) => (err += part.toString()))
        child.on("close", (code) => resolve({ code, out, err }))
      })
    const silent = await run({})
    expect(received.size).toBe(0)
    expect(await run({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })).toEqual(silent)
    expect(received.get("/v1/traces")).toContain('"vasst.fit"')
    expect(received.get("/v1/metrics")).toContain('"vasst.scored"')
    // A collector that is not there changes nothing.
    expect(await run({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })).toEqual(silent)
  } finally {
    collector.close()
  }
})
