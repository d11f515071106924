// Reports in a real browser: they ask for nothing and run nothing, whatever the names of columns are, and are accessible
// at three widths in both colour schemes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as LawFitter from "../../src/cli/LawFitter.ts"
import type { Fitter } from "../../src/cli/Fitter.ts"
import * as FittedLaw from "../../src/evidence/fitted/FittedLaw.ts"
import { additive } from "../../src/evidence/Noise.ts"
import * as Term from "../../src/expr/Term.ts"
import { fake, ranked, run } from "../support/cli.ts"
import { describeInChromium, inaccessible, visit } from "../support/chromium.ts"
import * as hostile from "../support/hostile.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-report-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** The search, as the command line has it. */
const real: Fitter["Service"]["fit"] = (data, settings, hooks) => {
  if (settings.objective !== "inclusive") throw new Error("this test searches")
  return LawFitter.fit(data, settings, hooks)
}

const stars = ["Vega", "</table><script>alert(11)</script>", "Altair"]
const tables = {
  groups: [
    "star,t,flux",
    ...stars.flatMap((star, g) =>
      Array.from({ length: 12 }, (_, i) => {
        const t = 0.2 + 0.3 * i
        return `${star},${t},${(g + 1) * Math.exp(-0.4 * t) + 0.01 * Math.sin(9 * i + g)}`
      }),
    ),
  ],
  nothing: ["x,y", ...Array.from({ length: 12 }, (_, i) => `${i},${Math.sin(77 * i * i) * 3 + 10}`)],
  wide: [
    [...Array.from({ length: 120 }, (_, j) => `c${j}`), "y"].join(","),
    ...Array.from({ length: 20 }, (_, i) =>
      [...Array.from({ length: 120 }, (_, j) => Math.cos(i * j + j)), 3 * Math.cos(5 * i + 5)].join(","),
    ),
  ],
}

const hostileFit = (): Fitter["Service"]["fit"] => {
  const data = hostile.data()
  const own = FittedLaw.make(FittedLaw.numbered(Term.mul(1.00001, hostile.law), data.features), data, {
    noise: additive,
  })
  const model = ranked(data, { expression: hostile.law, terms: [hostile.law], law: () => own })
  return fake({ models: [model, ranked(data, { posterior: 0.1 })] })
}

/** Makes a report by the command line, and gives its address. */
const report = async (
  name: string,
  data: string,
  args: ReadonlyArray<string>,
  fit: Fitter["Service"]["fit"] = real,
): Promise<string> => {
  const file = join(folder, `${name}.html`)
  const { code, stderr } = await run(["fit", data, ...args, "--report", file], { fit })
  expect(stderr).not.toMatch(/^vasst: /m)
  expect(code).toBe(0)
  return pathToFileURL(file).href
}

const written = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** The value of an expression in a page; as text, because the compiler knows no documents here. */
const evaluate = <A>(page: Page, expression: string): Promise<A> =>
  page.evaluate<A, undefined>(expression, undefined)

const views = [360, 768, 1280].flatMap((width) => [[width, "light"] as const, [width, "dark"] as const])
/** The narrowest and the widest, a scheme each. */
const fewer = [views[1]!, views[4]!]

const pages: Record<string, string> = {}

describeInChromium("a report", () => {
  beforeAll(async () => {
    const effort = ["--effort", "20000", "--workers", "1"]
    pages["planets"] = await report("planets", "examples/data/planets.csv", ["--target", "period", ...effort])
    for (const [name, target] of [
      ["groups", "flux"],
      ["nothing", "y"],
      ["wide", "y"],
    ] as const)
      pages[name] = await report(name, written(`${name}.csv`, tables[name].join("\n")), [
        "--target",
        target,
        ...effort,
        ...(name === "groups" ? ["--group", "star"] : []),
      ])
    const table = written("<img src=x onerror=alert(12)>.csv", hostile.csv(hostile.data()))
    pages["hostile"] = await report("hostile", table, ["--target", hostile.target], hostileFit())
    pages["draws"] = await report("draws", "examples/data/planets.csv", ["--target", "period"], fake())
  }, 240_000)

  for (const name of ["planets", "groups", "nothing", "wide", "hostile", "draws"])
    for (const [width, colorScheme] of name === "planets" || name === "hostile" ? views : fewer)
      it(`of ${name} is quiet and accessible, ${width} wide, ${colorScheme}`, () =>
        visit(
          pages[name]!,
          async ({ page, requests, dialogs, errors }) => {
            expect(await inaccessible(page)).toEqual([])
            expect(await evaluate<number>(page, "document.documentElement.scrollWidth")).toBeLessThanOrEqual(
              width,
            )
            expect({ requests, dialogs, errors }).toEqual({ requests: [], dialogs: [], errors: [] })
          },
          { viewport: { width, height: 800 }, colorScheme },
        ))

  it("can be used with the keyboard", () =>
    visit(pages["planets"]!, async ({ page }) => {
      await page.locator("details > summary").first().focus()
      await page.keyboard.press("Enter")
      expect(await page.locator("details[open] table").first().isVisible()).toBe(true)
    }))

  it("has every name as text, and no element, attribute or script of theirs", () =>
    visit(pages["hostile"]!, async ({ page }) => {
      const found = await evaluate<{ title: string; scripts: Array<string>; text: string }>(
        page,
        `({
          title: document.title,
          scripts: [...document.scripts].map(({ type }) => type),
          handlers: [...document.querySelectorAll("*")].flatMap((one) =>
            one.getAttributeNames().filter((own) => own.startsWith("on")),
          ),
          pictures: document.images.length,
          links: [...document.querySelectorAll("a")].filter((one) => !one.getAttribute("href")?.startsWith("#")).length,
          polluted: Object.keys(Object.prototype),
          text: document.body.textContent,
        })`,
      )
      expect(found.title).toContain("</title></style><script>alert(10)</script>")
      expect(new Set(found.scripts)).toEqual(new Set(["application/json"]))
      expect({ ...found, title: "", text: "", scripts: [] }).toEqual({
        title: "",
        text: "",
        scripts: [],
        handlers: [],
        pictures: 0,
        links: 0,
        polluted: [],
      })
      for (const own of hostile.names.filter((one) => one.length < 40 && !one.includes("\n")))
        expect(found.text).toContain(own)
      // A name of 10 kB has its ends; the formula in other notations has 5,000 characters of it.
      expect(found.text).not.toContain("y".repeat(5001))
    }))

  it("of groups says how each search went", () =>
    visit(pages["groups"]!, async ({ page }) => {
      const rows = await evaluate<ReadonlyArray<string>>(
        page,
        `[...document.querySelectorAll("#search tbody th")].map(({ textContent }) => textContent.trim())`,
      )
      // The brightest is searched first.
      expect(rows.slice(0, 4)).toEqual([...stars.toReversed(), "all groups"])
    }))

  it("of groups prints the numbers of each group with errors", () =>
    visit(pages["groups"]!, async ({ page }) => {
      await page.emulateMedia({ media: "print" })
      const table = page.locator("#numbers table", {
        hasText: "the numbers of each group with standard errors",
      })
      const shown = table.filter({ visible: true })
      expect(await shown.locator("tbody th").allInnerTexts()).toEqual(stars)
      for (const row of await shown.locator("tbody tr").allInnerTexts()) expect(row).toMatch(/\d ± \d/)
    }))

  it.each(["planets", "groups"])("of %s fits the width of paper, on a few pages", (name) =>
    visit(
      pages[name]!,
      async ({ page }) => {
        await page.emulateMedia({ media: "print" })
        expect(
          await evaluate<ReadonlyArray<string>>(
            page,
            `[...document.querySelectorAll("svg, table, .katex")]
              .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map(({ outerHTML }) => outerHTML.slice(0, 200))`,
          ),
        ).toEqual([])
        // Words of the heads of tables stay whole, and no text is larger than that of the page.
        expect(
          await evaluate<ReadonlyArray<string>>(
            page,
            `[...document.querySelectorAll("thead th")].flatMap((cell) => {
              const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
              const broken = []
              while (walker.nextNode())
                for (const { 0: word, index } of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
                  const range = document.createRange()
                  range.setStart(walker.currentNode, index)
                  range.setEnd(walker.currentNode, index + word.length)
                  if (range.getClientRects().length > 1) broken.push(word)
                }
              return broken
            })`,
          ),
        ).toEqual([])
        const sizes = await evaluate<ReadonlyArray<number>>(
          page,
          `["body", "figcaption", ".note", "footer"].flatMap((one) =>
            [...document.querySelectorAll(one)].map((found) => parseFloat(getComputedStyle(found).fontSize)))`,
        )
        expect(Math.max(...sizes)).toBe(sizes[0])
        const pdf = Buffer.from(await page.pdf({ format: "A4" })).toString("latin1")
        const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length
        expect(pages).toBeGreaterThan(2)
        expect(pages).toBeLessThan(10)
      },
      // The width of A4 within its margins.
      { viewport: { width: 688, height: 1000 } },
    ),
  )

  it("has the specifications of its pictures as data", () =>
    visit(pages["planets"]!, async ({ page }) => {
      const specs = await evaluate<ReadonlyArray<string>>(
        page,
        `[...document.querySelectorAll('script[type="application/json"]')].map(({ textContent }) => textContent)`,
      )
      // A picture for each, the drawing of the tree not counted.
      expect(specs).toHaveLength(await page.locator("svg.chart").count())
      expect(specs.length).toBeGreaterThan(5)
      for (const spec of specs)
        expect(JSON.parse(spec)).toHaveProperty("$schema", expect.stringContaining("vega-lite"))
    }))

  it("follows the colour scheme in its pictures", async () => {
    const ink = (colorScheme: "light" | "dark") =>
      visit(
        pages["planets"]!,
        ({ page }) =>
          evaluate<string>(
            page,
            `getComputedStyle([...document.querySelectorAll("svg.chart text")].find(({ textContent }) => textContent === "predicted")).fill`,
          ),
        { colorScheme },
      )
    expect([await ink("light"), await ink("dark")]).toEqual(["rgb(27, 36, 48)", "rgb(232, 236, 242)"])
  })

  it("sets formulas in the fonts of the page", () =>
    visit(pages["planets"]!, async ({ page }) => {
      const loaded = await evaluate<ReadonlyArray<string>>(
        page,
        `document.fonts.ready.then(() =>
          [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family))`,
      )
      expect(loaded).toContain("KaTeX_Main")
      expect(await page.locator(".law math").count()).toBe(1)
    }))
})
