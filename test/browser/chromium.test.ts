// The watch over pages sees what a page does: without this, a test that nothing happened could not fail.
import { expect, it } from "vitest"
import { describeInChromium, inaccessible, visit } from "../support/chromium.ts"

const page = (body: string): string =>
  `data:text/html,${encodeURIComponent(`<!doctype html><html lang="en"><title>page</title><main><h1>Page</h1>${body}</main>`)}`

describeInChromium("a watched page", () => {
  it("is quiet where nothing happens", () =>
    visit(page("<p>Nothing."), async ({ page, requests, dialogs, errors }) => {
      expect({ requests, dialogs, errors }).toEqual({ requests: [], dialogs: [], errors: [] })
      expect(await inaccessible(page)).toEqual([])
    }))

  it("tells of requests, dialogs and errors", () =>
    visit(
      page(
        `<script>alert(1); console.error("two"); fetch("http://127.0.0.1:9/"); throw new Error("three")</script>`,
      ),
      async ({ page, requests, dialogs, errors }) => {
        await page.waitForTimeout(100)
        expect(requests).toEqual(["http://127.0.0.1:9/"])
        expect(dialogs).toEqual(["1"])
        expect(errors.join("\n")).toMatch(/two/)
        expect(errors.join("\n")).toMatch(/three/)
      },
    ))

  it("tells what is not accessible", () =>
    visit(page(`<img src="data:,">`), async ({ page }) => {
      expect((await inaccessible(page)).join("\n")).toMatch(/^image-alt: /)
    }))
})
