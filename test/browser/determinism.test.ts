// The same seed and effort in a page and in Node: the same search and the same laws in the same order, number by number. V8 rounds the functions
// of Math otherwise from release to release, so that the last digits of numbers differ between engines of another V8
// (docs/how-to/runs-that-last.md); scripts/check-nodes.mjs compares bytes between versions of Node.
import { createServer } from "node:http"
import { expect, it } from "vitest"
import { site } from "../../scripts/browser/bundle.mjs"
import * as Laws from "../fixtures/browser/law.ts"
import { describeInChromium, visit } from "../support/chromium.ts"

/** Serves modules, and an empty page elsewhere, while they are used. */
const serving = async (files: Readonly<Record<string, string>>, use: (url: string) => Promise<void>) => {
  const server = createServer(({ url = "" }, response) => {
    const code = files[url.slice(1)]
    response.setHeader("content-type", code === undefined ? "text/html" : "text/javascript")
    response.end(code ?? "<!doctype html><link rel=icon href='data:,'><title>page</title>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  try {
    await use(`http://127.0.0.1:${port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const number = /(?<![\w.])-?\d+(\.\d+)?(e[+-]?\d+)?/g

/** A document without its numbers, which are told apart. */
const parted = (document: string) => ({
  shape: document.replaceAll(number, "#"),
  numbers: [...document.matchAll(number)].map(([text]) => Number(text)),
})

/** The largest difference of numbers, as a share of them. Fits end where the next step changes less than this. */
const tolerance = 1e-6

describeInChromium("a page", () => {
  it("finds the laws that Node finds, with the same numbers", { timeout: 1_200_000 }, async () => {
    const { entry, files } = await site("test/fixtures/browser/law.ts")
    await serving(files, (url) =>
      visit(url, async ({ page, errors }) => {
        // As an expression: Vitest would replace the import of a function. The module is the fixture.
        const library = await page.evaluateHandle<typeof Laws>(`import("/${entry}")`)
        for (const name of Laws.names) {
          const found = await library.evaluate((laws, table) => laws.document(table), name)
          // Twice the same in the same engine, to the byte.
          expect(await library.evaluate((laws, table) => laws.document(table), name)).toBe(found)
          const [there, here] = [parted(found), parted(await Laws.document(name))]
          expect(there.shape).toBe(here.shape)
          expect(here.numbers.length).toBeGreaterThan(100)
          for (const [at, value] of here.numbers.entries()) {
            const other = there.numbers[at] ?? Number.NaN
            expect(Math.abs(other - value)).toBeLessThanOrEqual(tolerance * Math.abs(value))
          }
        }
        expect(errors).toEqual([])
      }),
    )
  })
})
