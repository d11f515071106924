// Tables of all formats, groups and restrictions in the playground.
import fs from "node:fs"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as Rng from "../../src/random/Rng.ts"
import { describeInChromium } from "../support/chromium.ts"
import { best, done, drop, quietlyOn } from "../support/playgroundPage.ts"
import { type Served, serve } from "../support/playground.ts"

describeInChromium("the playground", () => {
  let served: Served
  beforeAll(async () => {
    served = await serve()
  })
  afterAll(() => served.close())
  const quietly = (...[fragment, use, options]: Parameters<ReturnType<typeof quietlyOn>>) =>
    quietlyOn(served)(fragment, use, options)

  it("reads the formats of the command line, by readers that are loaded when a file needs them", async () => {
    await quietly("#example=boyle&effort=2000", async ({ page }) => {
      await done(page)
      const before = served.loaded.length
      for (const name of [
        "table.csv.gz",
        "table.jsonl.gz",
        "table.json",
        "zstd.parquet",
        "snappy.parquet",
        "lz4.arrow",
        "stream.arrows",
      ]) {
        await drop(page, name, fs.readFileSync(`test/fixtures/tables/${name}`))
        // Some have a column of row numbers.
        await page.getByText(new RegExp(`^${name}: 40 rows, 1[12] columns$`)).waitFor()
        // Eight rows lack a value.
        expect(await page.locator(".columns tr", { hasText: "gap" }).locator(".range").textContent()).toMatch(
          /, 8 missing$/,
        )
        expect(await page.getByLabel("Role of day").inputValue()).toBe("none")
      }
      await drop(page, "matrix.npy", fs.readFileSync("test/fixtures/tables/matrix.npy"))
      await page.getByText(/^matrix.npy: \d+ rows, \d+ columns$/).waitFor()
      await drop(
        page,
        "broken.parquet",
        fs.readFileSync("test/fixtures/tables/zstd.parquet").subarray(0, 900),
      )
      await page.getByRole("alert").getByText("broken.parquet: this Parquet file is cut off").waitFor()
      await drop(page, "broken.csv.gz", fs.readFileSync("test/fixtures/tables/table.csv.gz").subarray(0, 100))
      await page.getByRole("alert").getByText("broken.csv.gz: the gzip data are broken or cut off").waitFor()
      expect(served.loaded.length - before).toBeGreaterThan(2)
    })
  })

  it("fits over groups, without the rows that lack a value, and makes their report", async () => {
    // By chance: a sine of the row number is a law of time, and is found.
    const noise = Rng.normal(Rng.key(31), new Float64Array(36))
    const cups = ["steel", "paper", "foam"].flatMap((cup, g) =>
      Array.from(
        { length: 12 },
        (_, i) =>
          `${cup},${i},${i === 3 ? "n/a" : ((g + 2) * i + 4 + 0.01 * noise[12 * g + i]!).toFixed(4)},Tuesday`,
      ),
    )
    await quietly("#example=boyle&effort=2000", async ({ page }) => {
      await done(page)
      await drop(page, "cups.csv", `cup,time,level,day\n${cups.join("\n")}\n`)
      await page.getByText("cups.csv: 36 rows, 4 columns").waitFor()
      await page.getByLabel("Role of cup").selectOption("group")
      await page.getByText("Operators, noise and limits").click()
      await page.getByLabel("Ensembles at most").fill("20000")
      await page.getByLabel("Ensembles at most").blur()
      await page.getByRole("button", { name: "Find laws" }).click()
      await done(page)
      expect(await best(page)).toMatch(/^level = k1\*time \+ (4|3\.99|4\.0)\d*$/)
      expect(await page.locator(".ended").textContent()).toContain(
        "left out: 3 of 36 rows, which lack a value of level (3)",
      )
      expect(await page.locator(".results").textContent()).toMatch(/paper: k1 = (3\.00|2\.99|3 )/)
      const [report] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download a report (HTML)" }).click(),
      ])
      const html = fs.readFileSync(await report.path(), "utf8")
      // Words of the command are kept whole by elements of their own.
      expect(html.replaceAll(/<[^>]+>/g, "")).toContain("--group cup")
    })
  })

  it("takes a kind of noise and restrictions, and a link keeps them", async () => {
    await quietly("#example=boyle&effort=3000&without=log&without=exp&size=6", async ({ page }) => {
      await done(page)
      expect(await page.locator(".posterior").textContent()).not.toMatch(/exp|log\b|e\^/)
      await page.getByText("Operators, noise and limits").click()
      expect(await page.getByLabel("No law has").inputValue()).toBe("log, exp")
      await page.getByLabel("No law has").fill("")
      await page.getByLabel("No law has").blur()
      await page.getByLabel("Noise").selectOption("proportional")
      await page.getByLabel("A law must have").fill("volume, sin")
      await page.getByLabel("A law must have").blur()
      await page.getByRole("button", { name: "Find laws" }).click()
      await done(page)
      expect(await best(page)).toContain("sin(")
      expect(await page.locator(".results").textContent()).toContain("proportional to the law")
      const link = new URLSearchParams(new URL(await page.evaluate<string>("location.href")).hash.slice(1))
      expect([link.get("noise"), link.getAll("contains"), link.get("size")]).toEqual([
        "proportional",
        ["volume", "sin"],
        "6",
      ])
      await page.getByLabel("A law must have").fill("sinus")
      await page.getByLabel("A law must have").blur()
      await page.getByRole("button", { name: "Find laws" }).click()
      await page.getByRole("alert").getByText("sinus").waitFor()
    })
  })
})
