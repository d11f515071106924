import fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as Csv from "../../src/data/Csv.ts"
import * as Data from "../../src/data/Data.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Law from "../../src/models/law.ts"
import * as LawGrammar from "../../src/models/LawGrammar.ts"
import type * as Document from "../../src/report/Document.ts"
import { parse } from "../../src/expr/text/parse.ts"
import { infix } from "../../src/expr/text/infix.ts"
import { usual } from "../../playground/src/Operators.ts"
import { describeInChromium, inaccessible } from "../support/chromium.ts"
import { best, done, drop, first, quietlyOn } from "../support/playgroundPage.ts"
import { type Served, serve } from "../support/playground.ts"

/** The page and all files that it loads, compressed, in bytes. */
const most = 1_500_000

/** Rows of y = 3 a^2 with a column that does not matter, no value of which is in any setting. */
const rows = Array.from({ length: 24 }, (_, i) => {
  const a = 1 + 0.37 * i
  return [
    a.toFixed(4),
    (5 + ((i * 7) % 11)).toFixed(2),
    (3 * a * a * (1 + 0.002 * Math.sin(9 * i))).toFixed(6),
  ]
})
const table = `a,"the other, b",y [m]\n${rows.map(([a, b, y]) => `${a},${b},${y}\n`).join("")}`

describeInChromium("the playground", () => {
  let served: Served
  beforeAll(async () => {
    served = await serve()
  })
  afterAll(() => served.close())

  const quietly = (...[fragment, use, options]: Parameters<ReturnType<typeof quietlyOn>>) =>
    quietlyOn(served)(fragment, use, options)

  it("shows a law of the demonstration while the search runs, the whole page is small, and it ends with Kepler's law", async () => {
    const before = served.loaded.length
    await quietly("", async ({ page }) => {
      await page.locator('.headline[data-phase="running"] .display').waitFor()
      await done(page)
      expect(await best(page)).toBe("period = semi_major_axis^1.5")
      expect(await page.locator(".posterior tbody tr").count()).toBeGreaterThan(5)
      expect(await page.locator(".plot svg").count()).toBe(2)
      expect(await page.locator(".rest").last().textContent()).toContain("has not seen")
      // The picture of the README: VASST_PICTURES=docs/images has it written there.
      await page.setViewportSize({ width: 1180, height: 900 })
      const picture = await page.screenshot({ fullPage: true })
      expect(picture.length).toBeGreaterThan(50_000)
      const folder = process.env["VASST_PICTURES"]
      if (folder !== undefined) fs.writeFileSync(`${folder}/playground.png`, picture)
    })
    const bytes = served.loaded.slice(before).reduce((sum, file) => sum + file.bytes, 0)
    expect(bytes).toBeLessThan(most)
    expect(bytes).toBeGreaterThan(100_000)
  })

  it("is accessible and fits narrow and wide screens in both colour schemes", async () => {
    for (const [width, colorScheme] of [
      [360, "light"],
      [800, "dark"],
      [1440, "light"],
    ] as const)
      await quietly(
        "#example=trees&target=volume&feature=girth&feature=height&effort=20000",
        async ({ page }) => {
          await done(page)
          await page.getByText("Operators, noise and limits").click()
          expect(await inaccessible(page)).toEqual([])
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width)
        },
        { viewport: { width, height: 800 }, colorScheme },
      )
  })

  it("takes a dropped table, whose numbers are in no link, and a link restores its settings", async () => {
    let link = ""
    await quietly("#example=boyle&effort=2000", async ({ page }) => {
      await done(page)
      await drop(page, "mine.csv", table)
      await page.getByText("mine.csv: 24 rows, 3 columns").waitFor()
      expect(await page.getByLabel("Unit of y").inputValue()).toBe("m")
      await page.getByLabel("Role of the other, b").selectOption("none")
      await page.getByLabel("Unit of a").fill("s")
      await page.getByText("Operators, noise and limits").click()
      await page.getByLabel("sine", { exact: true }).uncheck({ force: true })
      await page.getByLabel("Ensembles at most").fill("30000")
      await page.getByLabel("Ensembles at most").blur()
      await page.getByRole("button", { name: "Find laws" }).click()
      await done(page)
      expect(await best(page)).toMatch(/^y = (2\.99|3|3\.0)\d*\*a\^2$/)
      link = await page.evaluate<string>("location.href")
    })
    for (const value of new Set(rows.flat())) expect(link).not.toContain(value)
    expect(new URLSearchParams(new URL(link).hash.slice(1)).getAll("feature")).toEqual(["a"])
    await quietly(new URL(link).hash, async ({ page }) => {
      await page.getByText("This link has settings for a table of yours with the columns y, a.").waitFor()
      await drop(page, "again.csv", table)
      await page.getByText("again.csv: 24 rows, 3 columns").waitFor()
      expect(await page.getByLabel("Role of the other, b").inputValue()).toBe("none")
      expect(await page.getByLabel("Unit of a").inputValue()).toBe("s")
      expect(await page.getByLabel("sine", { exact: true }).isChecked()).toBe(false)
      expect(await page.getByLabel("Ensembles at most").inputValue()).toBe("30000")
      expect(await page.evaluate("location.href")).toBe(link)
    })
  })

  it("says of a wrong table and of wrong units what the command line says", async () => {
    const wrong = ["a,y\n1,2\n3\n", 'a,y\n1,"2\n', "a,a\n1,2\n", "a,y\n"]
    await quietly("#example=boyle&effort=2000", async ({ page }) => {
      await done(page)
      for (const text of wrong) {
        await drop(page, "wrong.csv", text)
        const said = await Effect.runPromise(Effect.flip(Csv.parse(text)))
        await page.getByRole("alert").getByText(`wrong.csv: ${said.message}`, { exact: true }).waitFor()
      }
      await drop(page, "words.csv", "a,b,y\n1,2,3\n2,1O,5\n3,7,9\n4,1,11\n")
      await page
        .getByText(
          'row 2 (line 3), column "b": "1O" is not a number; correct it, or take "b" out of the features',
        )
        .waitFor()
      expect(await page.getByLabel("Role of b").inputValue()).toBe("none")
      await page.getByLabel("Unit of a").fill("metre")
      await page.getByLabel("Unit of a").blur()
      await page.getByLabel("Unit of y").fill("kilogrom")
      await page.getByLabel("Unit of y").blur()
      await page.getByRole("button", { name: "Find laws" }).click()
      await page
        .getByRole("alert")
        .getByText('there is no unit "kilogrom"; did you mean "kilogram"?')
        .waitFor()
    })
  })

  it("stops at once, and ranks the laws found so far", async () => {
    await quietly("#example=mercury&time=600", async ({ page }) => {
      await first(page)
      await page.getByRole("button", { name: "Stop, and rank the laws found" }).click()
      await done(page)
      expect(await page.locator(".ended").textContent()).toContain("cut off: a request ended the search")
      expect(await page.getByRole("button", { name: "Find laws" }).isEnabled()).toBe(true)
    })
  })

  it("is used with the keyboard alone", async () => {
    await quietly("#example=boyle&effort=5000", async ({ page }) => {
      await done(page)
      const reach = async (name: string): Promise<void> => {
        for (let press = 0; press < 60; press++) {
          await page.keyboard.press("Tab")
          const here = await page.evaluate<string>(
            `document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent.trim() ?? ""`,
          )
          if (here === name) return
        }
        throw new Error(`Tab does not reach "${name}"`)
      }
      await reach("Timber, with units")
      await page.keyboard.press("Enter")
      await page.getByText("trees.csv: 31 rows, 3 columns").waitFor()
      await done(page)
      await page.keyboard.press("Shift+Tab")
      await reach("Role of height")
      // The first letter of an option chooses it.
      await page.keyboard.press("l")
      await reach("Find laws")
      await page.keyboard.press("Enter")
      await page.locator('.headline[data-phase="running"]').waitFor()
      await done(page)
      expect(await best(page)).not.toContain("height")
      await reach("Law 1: " + (await best(page)))
      await page.keyboard.press("ArrowDown")
      expect(await page.locator(".posterior .chosen input").getAttribute("aria-label")).toMatch(/^Law 2: /)
      await reach("SymPy")
      await page.keyboard.press("Space")
      expect(await page.locator(".code").getAttribute("aria-label")).toBe("The law in SymPy")
    })
  })

  it("gives the laws that Node gives for the same seed and effort, as a document", async () => {
    const effort = 20_000
    await quietly(`#example=boyle&effort=${effort}&seed=5`, async ({ page }) => {
      await done(page)
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download all laws (JSON)" }).click(),
      ])
      expect(download.suggestedFilename()).toBe("boyle.fit.json")
      const stream = await download.createReadStream()
      const parts: Array<Buffer> = []
      for await (const part of stream) parts.push(Buffer.from(part))
      // A document, as the schema of `report/Document` has it.
      const document = JSON.parse(Buffer.concat(parts).toString("utf8")) as Document.Document
      const text = fs.readFileSync("examples/data/boyle.csv", "utf8")
      const here = await Effect.runPromise(
        Effect.provideService(
          Effect.flatMap(Data.fromCsv(text, { target: "pressure" }), (data) =>
            Law.fit(data, { effort, workers: 1 }),
          ),
          Fit.Seed,
          5,
        ),
      )
      expect(document.seed).toBe(5)
      const [report] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download a report (HTML)" }).click(),
      ])
      expect(report.suggestedFilename()).toBe("boyle.report.html")
      const written = await report.path()
      const html = fs.readFileSync(written, "utf8")
      expect(html).toContain("A law of pressure")
      // Words of the command are kept whole by elements of their own.
      expect(html.replaceAll(/<[^>]+>/g, "")).toContain("--seed 5")
      expect(html.match(/<svg class="chart"/g)?.length).toBeGreaterThan(2)
      expect(document.models.map(({ complexity }) => complexity)).toEqual(
        here.models.map(({ complexity }) => complexity),
      )
      document.models.forEach(({ lmpse, terms, probability }, place) => {
        const own = here.models[place]!
        expect(terms.length).toBe(own.terms.length)
        expect(lmpse).toBeCloseTo(own.lmpse, 6)
        expect(probability).toBeCloseTo(own.probability!, 6)
      })
      const digits = { precision: 12 }
      const [best] = document.models
      expect(infix(Result.getOrThrow(parse(best!.expression)), digits)).toBe(
        infix(here.best.expression, digits),
      )
    })
  })

  it("gives the same laws with several workers, which share no memory here", async () => {
    const before = served.loaded.length
    // Enough for workers to make restarts ahead, which begins after two seconds.
    const effort = 900_000
    await quietly(`#example=mercury&effort=${effort}`, async ({ page }) => {
      expect(await page.evaluate("typeof SharedArrayBuffer")).toBe("undefined")
      await done(page)
      const text = fs.readFileSync("playground/data/mercury.csv", "utf8")
      const here = await Effect.runPromise(
        Effect.flatMap(Data.fromCsv(text, { target: "pressure" }), (data) =>
          Law.fit(data, { effort, workers: 1 }),
        ),
      )
      const lines = await page.locator(".posterior tbody tr:not(.rest) td:last-child").allTextContents()
      expect(lines).toEqual(here.models.slice(0, 10).map(({ lmpse }) => lmpse.toFixed(1)))
    })
    const files = served.loaded.slice(before).map(({ file }) => file)
    expect(files.some((file) => /restarts/.test(file))).toBe(true)
  })

  it("has the operators of the library", () => {
    expect(usual).toEqual(LawGrammar.operators)
  })
})
