// Draws docs/images/playground.png: the page after its demonstration, in the Chromium of the machine.
//
//     npm run ts -- scripts/figures/playground.ts [light|dark] [width] [fragment] [file]
import { chromium } from "playwright-core"
import { serve } from "../../test/support/playground.ts"

const [scheme = "light", width = "1180", fragment = "", file = "docs/images/playground.png"] =
  process.argv.slice(2)
// Debian: apt-get install chromium
const executablePath = process.env["BROWSER"] ?? "/usr/bin/chromium"
const served = await serve()
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
try {
  const colorScheme = scheme === "dark" ? "dark" : "light"
  const page = await browser.newPage({ colorScheme, viewport: { width: Number(width), height: 900 } })
  page.on("console", (message) => console.log(message.text()))
  await page.goto(served.url + fragment)
  await page.locator('.headline[data-phase="done"]').waitFor({ timeout: 120_000 })
  console.log(await page.locator(".headline .display").getAttribute("aria-label"))
  await page.screenshot({ path: file, fullPage: true })
} finally {
  await browser.close()
  await served.close()
}
