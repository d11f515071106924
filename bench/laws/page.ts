/**
 * Writes docs/laws.md, docs/measured.md (the gallery) and its pictures from the runs in bench/results/laws:
 *
 *     npm run laws:page
 *     npm run laws:page -- --check       writes nothing; ends with 1 where a page or picture is not that of the runs
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { format, resolveConfig } from "prettier"
import { svg } from "../harness/chart.ts"
import { lines } from "../harness/lines.ts"
import { options } from "../harness/options.ts"
import { figuresPage } from "./figuresPage.ts"
import { gallery } from "./gallery.ts"
import { picture } from "./picture.ts"
import type { Run } from "./record.ts"
import { isMeasured, setOf } from "./sets.ts"
import { termOf } from "./texts.ts"

const { values } = options(import.meta.url, { options: { check: { type: "boolean", default: false } } })

const results = new URL("../results/laws/", import.meta.url).pathname
const docs = new URL("../../docs/", import.meta.url).pathname

const runs = (existsSync(results) ? readdirSync(results).toSorted() : []).flatMap((file) =>
  lines<Run>(join(results, file)),
)

/** The sets of the gallery, and the runs of our solver on them: on one processor, of the first seed. */
const shown = ["measured", "measured-more"].map(setOf)
const own = runs.filter((run) => shown.some(({ name }) => run.set === name) && run.solver === "vasst")
const first = own.filter((run) => run.cores === 1 && run.seed === Math.min(...own.map(({ seed }) => seed)))

const image = (name: string): string => `images/measured/${name}.svg`

const markdown = async (file: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(file)), parser: "markdown" })

/** The files by path from the documentation's folder. */
const files = async (): Promise<ReadonlyArray<readonly [string, string]>> => {
  const text = gallery(shown, first, image)
  const cases = shown
    .flatMap(({ name, cases: all }) =>
      all
        .filter(isMeasured)
        .map((one) => [one, first.find((run) => run.set === name && run.case === one.name)] as const),
    )
    .filter(([{ name }]) => text.includes(`(${image(name)})`))
  const pictures = await Promise.all(
    cases.map(async ([one, run]): Promise<readonly [string, string]> => {
      const expression = run?.answers[0]?.expression
      return [
        image(one.name),
        await svg(picture(one, expression === undefined ? undefined : termOf(expression))),
      ]
    }),
  )
  const order = ["srsd-easy", "srsd-medium", "srsd-hard", "measured", "measured-more", "class-sr", "dso"]
  return [
    ...pictures,
    ["measured.md", await markdown(join(docs, "measured.md"), text)],
    ["laws.md", await markdown(join(docs, "laws.md"), figuresPage(order, runs))],
  ]
}

for (const [name, text] of await files()) {
  const file = join(docs, name)
  if (values.check) {
    const current = existsSync(file) && readFileSync(file, "utf8") === text
    if (!current) console.error(`docs/${name} is not that of the runs: npm run laws:page`)
    if (!current) process.exitCode = 1
  } else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
