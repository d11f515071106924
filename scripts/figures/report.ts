// Draws docs/images/report.png, the beginning of a report of Boyle's measurements, and the parts of it that the tutorial shows, in the
// Chromium of the machine, from the built program.
//
//     npm run build && npm run ts -- scripts/figures/report.ts
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { chromium } from "playwright-core"

const root = fileURLToPath(new URL("../../", import.meta.url))
const images = join(root, "docs/images")
const folder = mkdtempSync(join(tmpdir(), "vasst-report-"))
// Debian: apt-get install chromium
const executablePath = process.env["BROWSER"] ?? "/usr/bin/chromium"
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
try {
  const file = join(folder, "report.html")
  const fit = ["fit", "examples/data/boyle.csv", "--target", "pressure", "--report", file]
  execFileSync(process.execPath, ["bin/vasst.mjs", ...fit], { cwd: root, stdio: "inherit" })
  const page = await browser.newPage({ colorScheme: "light", viewport: { width: 1100, height: 1500 } })
  await page.goto(pathToFileURL(file).href)
  await page.screenshot({ path: join(images, "report.png") })
  await page.setViewportSize({ width: 780, height: 1500 })
  for (const part of ["undecided", "bands", "residuals"])
    await page.locator(`#${part}`).screenshot({ path: join(images, `tutorial-${part}.png`) })
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
