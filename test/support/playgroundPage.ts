// The playground as somebody uses it.
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { visit, type Watched } from "./chromium.ts"
import type { Served } from "./playground.ts"

/** When there is a first law. */
export const first = (page: Page) => page.locator(".headline .display").waitFor()
export const done = (page: Page) => page.locator('.headline[data-phase="done"]').waitFor({ timeout: 120_000 })
export const best = async (page: Page): Promise<string | null> =>
  page.locator(".headline .display").getAttribute("aria-label")

/** Drops a file on the page. */
export const drop = async (page: Page, name: string, content: string | Uint8Array): Promise<void> => {
  const base64 = Buffer.from(content).toString("base64")
  // As an expression: the types here are those of Node, which has no such class.
  const files = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob("${base64}"), (one) => one.charCodeAt(0))
      transfer.items.add(new File([bytes], ${JSON.stringify(name)}))
      return transfer
    })()`,
  )
  await page.dispatchEvent("body", "drop", { dataTransfer: files })
}

/** Opens the page, and looks at the end whether it was quiet: no request but for its own files, no error, nothing of a policy. */
export const quietlyOn =
  (served: Served) =>
  async (
    fragment: string,
    use: (watched: Watched) => Promise<void>,
    options: Parameters<typeof visit>[2] = {},
  ): Promise<void> =>
    visit(
      served.url + fragment,
      async (watched) => {
        await use(watched)
        const { requests, dialogs, errors } = watched
        const others = requests.filter(
          (url) => !url.startsWith(served.url) && !url.startsWith(`blob:${new URL(served.url).origin}`),
        )
        expect({ others, dialogs, errors }).toEqual({ others: [], dialogs: [], errors: [] })
        // Addresses have no data behind them.
        expect(requests.filter((url) => url.includes("?"))).toEqual([])
      },
      options,
    )
