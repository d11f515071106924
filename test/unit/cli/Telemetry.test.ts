import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"

/** What this test reads of OpenTelemetry's protocol. */
const Value = Schema.Struct({ stringValue: Schema.optional(Schema.String) })
const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Value }))
const Span = Schema.Struct({
  name: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optional(Schema.String),
  attributes: Attributes,
})
const Traces = Schema.Struct({
  resourceSpans: Schema.Array(
    Schema.Struct({ scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) }),
  ),
})
const Points = Schema.Struct({
  dataPoints: Schema.Array(
    Schema.Struct({
      attributes: Schema.optional(Attributes),
      asDouble: Schema.optional(Schema.Number),
      asInt: Schema.optional(Schema.Union([Schema.Number, Schema.NumberFromString])),
    }),
  ),
})
const Metrics = Schema.Struct({
  resourceMetrics: Schema.Array(
    Schema.Struct({
      scopeMetrics: Schema.Array(
        Schema.Struct({
          metrics: Schema.Array(
            Schema.Struct({
              name: Schema.String,
              sum: Schema.optional(Points),
              gauge: Schema.optional(Points),
            }),
          ),
        }),
      ),
    }),
  ),
})

const spans: Array<typeof Span.Type> = []
const metrics = new Set<string>()
/** The jobs of a database by how they stand, as they came last. */
const queued = new Map<string, number>()
let requests = 0
const read = (url: string, body: string): void => {
  requests++
  if (url === "/v1/traces")
    for (const { scopeSpans } of Schema.decodeSync(Schema.fromJsonString(Traces))(body).resourceSpans)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
  if (url === "/v1/metrics")
    for (const { scopeMetrics } of Schema.decodeSync(Schema.fromJsonString(Metrics))(body).resourceMetrics)
      for (const { name, gauge } of scopeMetrics.flatMap((scope) => scope.metrics)) {
        metrics.add(name)
        if (name !== "vasst.queue") continue
        for (const { attributes, asDouble, asInt } of gauge?.dataPoints ?? [])
          queued.set(
            attributes?.find(({ key }) => key === "state")?.value.stringValue ?? "",
            asDouble ?? asInt ?? NaN,
          )
      }
}
const collector = createServer((request, response) => {
  let body = ""
  request.on("data", (part: Buffer) => (body += part.toString()))
  request.on("end", () => {
    read(request.url ?? "", body)
    response.end("{}")
  })
})
let environment: Readonly<Record<string, string>> = {}
const folder = mkdtempSync(join(tmpdir(), "vasst-telemetry-"))
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
  const address = collector.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
})
beforeEach(() => {
  spans.length = 0
  metrics.clear()
  queued.clear()
  requests = 0
})
afterAll(() => {
  collector.close()
  rmSync(folder, { recursive: true })
})

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) => {
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

/** The spans below another one. */
const below = (name: string, parent: typeof Span.Type | undefined) =>
  spans.filter((span) => span.name === name && span.parentSpanId === parent?.spanId)

it("spans of a fit and its steps, and metrics, go to the collector that the environment names", async () => {
  const args = ["fit", "examples/data/boyle.csv", "--target", "pressure", "--effort", "500", "--json"]
  const silent = await run(args, {})
  expect(requests).toBe(0)
  expect(await run(args, environment)).toEqual(silent)
  const fit = spans.find(({ name }) => name === "vasst.fit")
  expect(fit).toBeDefined()
  expect(below("vasst.steps", fit).length).toBeGreaterThan(0)
  expect([...metrics]).toEqual(expect.arrayContaining(["vasst.scored", "vasst.scored.rate", "vasst.unseen"]))
  // A collector that is not there changes nothing.
  expect(await run(args, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })).toEqual(silent)
})

it("the fits of a worker, which are in threads, are seen as those of this process", async () => {
  const list = join(folder, "list.jsonl")
  const data = join(process.cwd(), "examples/data/boyle.csv")
  writeFileSync(list, JSON.stringify({ data, target: "pressure", effort: 500 }))
  const database = ["--database-url", `sqlite:${join(folder, "jobs.sqlite")}`]
  const batch = run(["batch", list, ...database, "--poll", "0.2"], {})
  // Until it is there, the worker would end at once.
  const asked = async (): Promise<boolean> => (await run(["status", ...database], {})).out.includes("waiting")
  while (!(await asked()));
  const worker = await run(["worker", ...database, "--drain", "--log-format", "json"], environment)
  expect(worker.code).toBe(0)
  expect((await batch).code).toBe(0)
  const job = spans.find(({ name }) => name === "vasst.job")
  expect(job).toBeDefined()
  expect(below("vasst.steps", job).length).toBeGreaterThan(0)
  expect([...metrics]).toEqual(
    expect.arrayContaining([
      "vasst.jobs",
      "vasst.queue",
      "vasst.scored",
      "vasst.scored.rate",
      "vasst.unseen",
    ]),
  )
  // There is one job in the database, wherever it stood when it was counted.
  expect([...queued.keys()].sort()).toEqual(["done", "failed", "lost", "running", "waiting"])
  expect([...queued.values()].reduce((sum, count) => sum + count, 0)).toBe(1)
  const logged = worker.err
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
  const id = job?.attributes.find(({ key }) => key === "id")?.value.stringValue
  expect(logged).toMatchObject([
    { level: "INFO", message: expect.stringContaining("worker of vasst") },
    { level: "INFO", message: "a job is taken", id, token: 1 },
    { level: "INFO", message: "a job has ended", id, end: "done" },
  ])
})
