/**
 * The picture of the README, from a real fit: the planets with the law that the paper's method finds, and the
 * posterior probabilities of the models behind it.
 *
 *     npm run ts -- scripts/figures/planets.ts        writes docs/images/planets.svg
 */
import { readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as vega from "vega"
import { compile, type TopLevelSpec } from "vega-lite"
import { infix } from "vasst/expr/text/infix"
import * as Vasst from "vasst/models/vasst"
import * as Backend from "vasst/vi/Backend"
import * as Data from "vasst/data/Data"

const root = new URL("../../", import.meta.url)
const names = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune", "Pluto"]
const ink = "#1f2933"
const soft = "#7b8794"
const accent = "#b4381f"

const probability = (p: number): string => (p >= 0.001 ? p.toFixed(3) : p.toExponential(0))

/** Infix as it is typeset: roots, squares and dots. */
const typeset = (text: string): string =>
  text
    .replaceAll("semi_major_axis", "a")
    .replaceAll("sqrt(a)", "√a")
    .replaceAll("^2", "²")
    .replaceAll("*", "·")
    .replaceAll("/", " / ")
    .replaceAll(" - ", " − ")

const program = Effect.gen(function* () {
  const csv = readFileSync(new URL("examples/data/planets.csv", root), "utf8")
  const planets = yield* Data.fromCsv(csv, { target: "period" })
  const operators = ["mul", "div", "square", "sqrt"] as const
  const { models, predict } = yield* Vasst.fit(planets, { operators, trees: 1, steps: 200 })

  const [axis] = planets.columns
  const points = names.map((name, i) => ({ name, axis: axis![i]!, period: planets.y[i]! }))
  const grid = Array.from({ length: 101 }, (_, i) => 0.3 * 10 ** (i / 45))
  const [, ...rest] = planets.features.map(() => 0)
  // The law has one feature only; the others may be anything.
  const law = grid.map((a) => ({ axis: a, period: predict([[a, ...rest]])[0]! }))

  const bars = models.slice(0, 5).map((model, i) => ({
    rank: i + 1,
    model: `b₀ + b₁ ${typeset(infix(model.terms[0]!))}`,
    posterior: model.posterior,
    text: probability(model.posterior),
  }))

  const logarithmic = (title: string, domain: ReadonlyArray<number>, values: ReadonlyArray<number>) => ({
    type: "quantitative" as const,
    title,
    scale: { type: "log" as const, domain: [...domain], nice: false },
    axis: { values: [...values], format: "~g", grid: true },
  })
  const x = {
    field: "axis",
    ...logarithmic("semi-major axis a, astronomical units", [0.3, 60], [0.3, 1, 3, 10, 30]),
  }
  const y = { field: "period", ...logarithmic("period, years", [0.15, 450], [0.3, 1, 3, 10, 30, 100, 300]) }

  const specification: TopLevelSpec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    // Without a canvas Vega guesses how wide text is, and guesses wide: places are given, not measured.
    bounds: "flush",
    spacing: 165,
    config: {
      font: "Helvetica, Arial, sans-serif",
      view: { stroke: null },
      axis: {
        labelColor: ink,
        titleColor: soft,
        titleFontWeight: "normal",
        titleFontSize: 12,
        labelFontSize: 12,
        gridColor: "#e4e7eb",
        domainColor: soft,
        ticks: false,
        labelPadding: 6,
        titlePadding: 10,
      },
      title: {
        anchor: "start",
        color: ink,
        fontSize: 13,
        fontWeight: "bold",
        offset: 12,
        subtitleColor: soft,
      },
    },
    hconcat: [
      {
        width: 290,
        height: 250,
        title: { text: `period = ${typeset(infix(models[0]!.expression, { precision: 4 }))}`, dx: 57 },
        layer: [
          {
            data: { values: law },
            mark: { type: "line", color: accent, strokeWidth: 2 },
            encoding: { x, y },
          },
          {
            data: { values: points },
            mark: { type: "point", filled: true, color: ink, size: 46, opacity: 1 },
            encoding: { x, y },
          },
          {
            data: { values: points },
            mark: { type: "text", align: "left", dx: 9, dy: 5, color: ink, fontSize: 12 },
            encoding: { x, y, text: { field: "name" } },
          },
        ],
      },
      {
        width: 110,
        height: 250,
        title: { text: "posterior probability of the models drawn", dx: 71 },
        data: { values: bars },
        encoding: {
          y: {
            field: "model",
            type: "nominal",
            sort: null,
            title: null,
            axis: { domain: false, labelLimit: 260 },
            scale: { paddingInner: 0.45 },
          },
          x: {
            field: "posterior",
            type: "quantitative",
            title: null,
            scale: { domain: [0, 1] },
            axis: { values: [0, 0.5, 1] },
          },
        },
        layer: [
          { mark: { type: "bar", color: accent, opacity: 0.85 } },
          {
            mark: { type: "text", align: "left", dx: 5, color: ink, fontSize: 12 },
            encoding: { text: { field: "text" } },
          },
        ],
      },
    ],
  }
  const page = { width: 635, height: 250, padding: { left: 58, top: 40, right: 10, bottom: 46 } }
  const drawing = { ...compile(specification).spec, ...page, autosize: "none" as const }
  const view = new vega.View(vega.parse(drawing), { renderer: "none" })
  const svg = yield* Effect.promise(() => view.toSVG())
  writeFileSync(new URL("docs/images/planets.svg", root), `${svg}\n`)
})

await Effect.runPromise(program.pipe(Effect.provide(Backend.layer())))
