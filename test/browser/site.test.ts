// The site of the documentation, built and served below a path: its links lead somewhere, its search finds pages, it asks nobody
// else for anything, and it is accessible at three widths in both colour schemes.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeInChromium, inaccessible, visit } from "../support/chromium.ts"
import { type Served, serve } from "../support/host.ts"

const root = path.join(import.meta.dirname, "..", "..")
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-site-"))

beforeAll(() => {
  execFileSync("npm", ["run", "--silent", "site", "--", "--out", folder, "--logLevel", "Error"], {
    cwd: root,
  })
}, 240_000)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const pages = (): ReadonlyArray<string> =>
  fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"))

const targets = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target]) => target!.replaceAll("&amp;", "&"))

describe("the site", () => {
  it("has the pages of the documentation and the modules", () => {
    expect(fs.readFileSync(path.join(folder, "theory.html"), "utf8")).toContain('class="katex"')
    expect(pages()).toEqual(
      expect.arrayContaining([
        "index.html",
        "tutorial.html",
        "measured.html",
        "how-to/operator.html",
        "api/data/Data.html",
      ]),
    )
  })

  it("has no dead link, and loads nothing from elsewhere", () => {
    const texts = new Map(pages().map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]))
    const ids = new Map(
      [...texts].map(([name, html]) => [
        name,
        new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    )
    const dead = [...texts].flatMap(([name, html]) =>
      [...new Set(targets(html))].flatMap((target) => {
        if (/^(https?|data|mailto):/.test(target)) return []
        const [file = "", anchor = ""] = target.split("#")
        const page = file === "" ? name : path.posix.join(path.posix.dirname(name), decodeURIComponent(file))
        const there =
          fs.existsSync(path.join(folder, page)) &&
          (anchor === "" || ids.get(page)?.has(decodeURIComponent(anchor)) !== false)
        return there ? [] : [`${name}: ${target}`]
      }),
    )
    expect(dead).toEqual([])
    for (const html of texts.values())
      expect(html).not.toMatch(/<(?:script|img|link|iframe)[^>]+(?:src|href)="https?:/)
  })
})

/** A page in all views, and others in one each. */
const views = [
  ...[360, 768, 1280].flatMap((width) => [
    ["measured.html", width, "light"] as const,
    ["measured.html", width, "dark"] as const,
  ]),
  ["index.html", 360, "dark"],
  ["tutorial.html", 1280, "light"],
  ["theory.html", 360, "dark"],
  ["theory.html", 1280, "light"],
  ["reference/cli.html", 768, "light"],
  ["api/data/Data.html", 1280, "dark"],
  ["api/data/Data/Dataset.html", 360, "light"],
] as const

describeInChromium("the site in a browser", () => {
  let served: Served
  beforeAll(async () => {
    served = await serve(folder)
  })
  afterAll(() => served.close())

  for (const [name, width, colorScheme] of views)
    it(`has ${name}, accessible and quiet, ${width} wide, ${colorScheme}`, () =>
      visit(
        served.url + name,
        async ({ page, requests, errors }) => {
          await page.locator("#tsd-nav-container a").first().waitFor({ state: "attached" })
          expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
            width,
          )
          expect(await inaccessible(page)).toEqual([])
          const others = requests.filter((url) => !url.startsWith(served.url))
          expect({ others, errors }).toEqual({ others: [], errors: [] })
        },
        { viewport: { width, height: 800 }, colorScheme },
      ))

  it("finds a page by words of its text, with the keyboard", () =>
    visit(served.url, async ({ page }) => {
      await page.locator("#tsd-search-trigger").press("Enter")
      await page.keyboard.type("Boyle")
      const found = page.locator("#tsd-search-results li")
      await found.first().waitFor()
      expect(await found.allTextContents()).toContain("Tutorial")
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.waitForURL((url) => url.pathname !== new URL(served.url).pathname)
    }))
})
