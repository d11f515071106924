// Runs a fit in a real browser and compares it with the same fit in Node: same seed, same ELBO at every step.
//
//     npm run ts -- scripts/browser-check.mjs             chromium, chrome or $BROWSER, headless
//
// Needs a Chromium on the machine (Debian: apt-get install chromium); without one it says so and does nothing else.
import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import http from "node:http"
import os from "node:os"
import path from "node:path"
import { fit } from "../test/fixtures/browser/fit.ts"
import { site } from "./browser/bundle.mjs"

/** @typedef {import("../test/fixtures/browser/fit.ts").Outcome} Outcome */
/** @typedef {import("./browser/bundle.mjs").Site} Site */

/** milliseconds */
const patience = 120_000
/** of the ELBO at every step, relative to the last */
const tolerance = 1e-3

/** @param {string} entry */
const page = (entry) => `<!doctype html><title>vasst</title><script type="module">
  const post = (body) => fetch("/outcome", { method: "POST", body: JSON.stringify(body) })
  const failed = (error) => post({ failure: String(error) })
  import("/${entry}").then(({ fit }) => fit()).then((outcome) => post({ outcome })).catch(failed)
</script>`

const find = () =>
  [process.env["BROWSER"], "chromium", "chromium-browser", "google-chrome", "chrome"].find(
    (name) => name !== undefined && spawnSync(name, ["--version"]).status === 0,
  )

/**
 * Serves the page and the modules, and notes which are asked for.
 *
 * @param {Site} bundle @param {Set<string>} asked @param {(body: string) => void} receive
 */
const serve = ({ entry, files }, asked, receive) =>
  http.createServer((request, response) => {
    if (request.method === "POST") {
      let body = ""
      request.on("data", (part) => (body += part))
      request.on("end", () => {
        response.end()
        receive(body)
      })
      return
    }
    const name = request.url?.slice(1) ?? ""
    const code = files[name]
    if (code !== undefined) asked.add(name)
    response.setHeader("content-type", code === undefined ? "text/html" : "text/javascript")
    response.end(code ?? page(entry))
  })

/** @param {string} browser @param {Site} bundle @param {Set<string>} asked @returns {Promise<Outcome>} */
const fitIn = async (browser, bundle, asked) => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-browser-"))
  /** @type {(body: string) => void} */
  let resolve = () => undefined
  /** @type {(error: Error) => void} */
  let reject = () => undefined
  /** @type {Promise<string>} */
  const promise = new Promise((...settle) => ([resolve, reject] = settle))
  const server = serve(bundle, asked, resolve)
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  // Browsers refuse their sandbox to root, which containers run as.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : []
  const child = spawn(
    browser,
    ["--headless", "--disable-gpu", ...sandbox, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`],
    // A group of its own, because a browser is many processes.
    { stdio: "ignore", detached: true },
  )
  child.on("error", reject)
  const timer = setTimeout(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience)
  try {
    const { outcome, failure } = JSON.parse(await promise)
    if (outcome === undefined) throw new Error(failure)
    return outcome
  } finally {
    clearTimeout(timer)
    const ended = new Promise((done) => child.once("exit", done))
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, "SIGKILL")
      await ended
    }
    server.closeAllConnections()
    server.close()
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

const browser = find()
if (browser === undefined) {
  console.log("there is no Chromium on this machine; nothing was checked")
} else {
  const version = spawnSync(browser, ["--version"], { encoding: "utf8" }).stdout.trim()
  const bundle = await site("test/fixtures/browser/fit.ts")
  /** @type {Set<string>} */
  const asked = new Set()
  const theirs = await fitIn(browser, bundle, asked)
  const ours = await fit()
  const apart = Math.max(...ours.elbo.map((value, i) => Math.abs(value - (theirs.elbo[i] ?? Number.NaN))))
  const final = Math.abs(ours.elbo.at(-1) ?? 0)
  console.log(`${version}: ${theirs.elbo.length} steps and the ranking in ${theirs.seconds.toFixed(2)} s`)
  console.log(
    `Node ${process.version}: ${ours.elbo.length} steps and the ranking in ${ours.seconds.toFixed(2)} s`,
  )
  console.log(`final ELBO ${theirs.elbo.at(-1)} and ${ours.elbo.at(-1)}, at most ${apart} apart at any step`)
  console.log(`best model ${theirs.best} and ${ours.best}`)
  const bytes = [...asked].reduce((sum, name) => sum + (bundle.files[name]?.length ?? 0), 0)
  console.log(
    `${asked.size} of ${Object.keys(bundle.files).length} modules were loaded, ${Math.round(bytes / 1000)} kB`,
  )
  const late = [...asked].filter((name) => !bundle.start.includes(name))
  if (late.length > 0) throw new Error(`a fit on simd asked for ${late.join(", ")}`)
  // Not to the bit: the last digits of Math differ between versions of V8, and not every machine fuses multiply-adds.
  if (theirs.elbo.length !== ours.elbo.length || !(apart < tolerance * final)) {
    console.log("they differ")
    process.exitCode = 1
  } else console.log(apart === 0 ? "equal to the bit" : "equal up to rounding")
}
