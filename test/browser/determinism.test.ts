// The same seed and effort in a page and in Node: the same bytes, although V8 rounds the functions of Math otherwise from release to release
// (docs/how-to/runs-that-last.md). scripts/check-nodes.mjs compares the same bytes between versions of Node.
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

describeInChromium("a page", () => {
  it("finds the laws that Node finds, to the byte", { timeout: 1_200_000 }, async () => {
    const { entry, files } = await site("test/fixtures/browser/law.ts")
    await serving(files, (url) =>
      visit(url, async ({ page, errors }) => {
        // As an expression: Vitest would replace the import of a function. The module is the fixture.
        const library = await page.evaluateHandle<typeof Laws>(`import("/${entry}")`)
        for (const name of Laws.names) {
          const found = await library.evaluate((laws, table) => laws.document(table), name)
          expect(found.length).toBeGreaterThan(1000)
          expect(found).toBe(await Laws.document(name))
        }
        expect(errors).toEqual([])
      }),
    )
  })
})
