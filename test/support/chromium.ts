// Pages in a real browser: Debian's Chromium, driven by playwright-core, which brings no browser of its own.
import fs from "node:fs"
import { createRequire } from "node:module"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { afterAll, describe } from "vitest"
import * as Needed from "./needed.ts"

/** The path of a Chromium on this machine: $BROWSER, or where packages put it. */
export const executable: string | undefined = [
  process.env["BROWSER"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && fs.existsSync(path))

let started: Promise<Browser> | undefined

/** One browser for all pages of a file of tests. */
export const browser = (): Promise<Browser> => {
  if (executable === undefined) throw new Error("there is no Chromium here: apt-get install chromium")
  // A sandbox needs a user other than root; pages here are the tests' own.
  return (started ??= chromium.launch({ executablePath: executable, args: ["--no-sandbox"] }))
}

/** A group of tests in a browser, skipped with one line where there is none; with VASST_CI=1 it fails there. */
export const describeInChromium = (name: string, tests: () => void): void => {
  const missing = executable === undefined ? "Chromium (apt-get install chromium)" : undefined
  describe.skipIf(Needed.skipped(name, missing))(name, () => {
    tests()
    afterAll(async () => {
      await (await started)?.close()
      started = undefined
    })
  })
}

/** A page, and what it did so far that a quiet page does not do. */
export interface Watched {
  readonly page: Page
  /** addresses that it asked for, but for its own */
  readonly requests: ReadonlyArray<string>
  /** texts of alerts and other dialogs */
  readonly dialogs: ReadonlyArray<string>
  /** errors and warnings of the console, violations of the page's own policy among them, and errors of its scripts */
  readonly errors: ReadonlyArray<string>
}

/** Opens an address in a page of its own, uses the page, and closes it. */
export const visit = async <A>(
  url: string,
  use: (watched: Watched) => Promise<A>,
  options: BrowserContextOptions = {},
): Promise<A> => {
  const context = await (await browser()).newContext(options)
  try {
    const page = await context.newPage()
    const requests: Array<string> = []
    const dialogs: Array<string> = []
    const errors: Array<string> = []
    page.on("request", (request) => {
      // Data are in the page, no request.
      if (request.url() !== url && !request.url().startsWith("data:")) requests.push(request.url())
    })
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") errors.push(message.text())
    })
    page.on("pageerror", (error) => errors.push(String(error)))
    await page.goto(url)
    return await use({ page, requests, dialogs, errors })
  } finally {
    await context.close()
  }
}

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What of a page is not accessible, a line each: the rule of axe-core, what to do, and the element. */
export const inaccessible = async (page: Page): Promise<ReadonlyArray<string>> => {
  // As an expression of the debugger: a policy that forbids scripts forbids script elements.
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    // The script above has defined it.
    const { axe } = globalThis as unknown as { readonly axe: typeof import("axe-core") }
    const { violations } = await axe.run()
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${id}: ${help}: ${html}: ${failureSummary}`),
    )
  })
}
