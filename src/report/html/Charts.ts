import { type Axis, encoded, finite, label, largest, least, rounded } from "./Axis.ts"
import type { Chart, Point } from "./Draw.ts"

/** The rows that a picture draws, places from 0: all, or evenly some hundred, and those that are marked. */
export const drawn = (count: number, marked: (row: number) => boolean): ReadonlyArray<number> => {
  const all = Array.from({ length: count }, (_, row) => row)
  if (count <= most) return all
  const every = new Set(Array.from({ length: most }, (_, k) => Math.floor((k * count) / most)))
  return all.filter((row) => every.has(row) || marked(row))
}

/** The most points of a picture, but for marked ones. */
export const most = 600

export const points = (
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  wrong: (row: number) => boolean,
): Array<Point> =>
  drawn(x.length, wrong).flatMap((row) =>
    Number.isFinite(x[row]!) && Number.isFinite(y[row]!)
      ? [{ x: rounded(x[row]!), y: rounded(y[row]!), kind: wrong(row) ? "wrong" : "row" }]
      : [],
  )

/** The marks of points: a circle for a row, a cross for a wrong row. */
const scatter = (count: number) => [
  {
    mark: {
      type: "point" as const,
      filled: true,
      size: count > 200 ? 14 : count > 60 ? 26 : 40,
      color: "var(--point)",
      opacity: count > 200 ? 0.55 : 0.85,
    },
    transform: [{ filter: { field: "kind", equal: "row" } }],
  },
  {
    mark: {
      type: "point" as const,
      shape: "cross",
      filled: true,
      size: 90,
      color: "var(--wrong)",
      opacity: 1,
      angle: 45,
    },
    transform: [{ filter: { field: "kind", equal: "wrong" } }],
  },
]

/** Observations over predictions, with the line on which they are equal. */
export const predicted = (id: string, alternative: string, x: Axis, y: Axis, values: Array<Point>): Chart => {
  const all = finite([...Array.from(x.values), ...Array.from(y.values)])
  const ends = [least(all), largest(all)].map((end) => ({ x: end, y: end }))
  return {
    id,
    alternative,
    spec: {
      data: { values },
      layer: [
        {
          data: { values: ends },
          mark: { type: "line", color: "var(--accent)", strokeWidth: 1.5 },
          encoding: {
            x: encoded({ ...x, values: all }, "x"),
            y: encoded({ ...y, values: all }, "y"),
          },
        },
        ...scatter(values.length).map((one) => ({
          ...one,
          encoding: {
            x: encoded({ ...x, values: all }, "x"),
            y: encoded({ ...y, values: all }, "y"),
          },
        })),
      ],
    },
  }
}

/** Residuals along a column, with a line at 0. */
export const residuals = (id: string, alternative: string, x: Axis, y: Axis, values: Array<Point>): Chart => {
  const encoding = { x: encoded(x, "x"), y: encoded(y, "y") }
  return {
    id,
    alternative,
    spec: {
      height: 200,
      data: { values },
      layer: [
        {
          data: { values: [{ y: 0 }] },
          mark: { type: "rule", color: "var(--accent)", strokeWidth: 1.5 },
          encoding: { y: encoding.y },
        },
        ...scatter(values.length).map((one) => ({ ...one, encoding })),
      ],
    },
  }
}

/** The law along a column: its value with bands, the laws of groups, and the data. */
export const band = (
  id: string,
  alternative: string,
  x: Axis,
  y: Axis,
  { grid, groups, values }: BandData,
): Chart => {
  const encoding = { x: encoded(x, "x"), y: encoded(y, "y") }
  const area = (low: string, high: string, color: string) => ({
    mark: { type: "area" as const, color, opacity: 1 },
    encoding: { x: encoding.x, y: { ...encoding.y, field: low }, y2: { field: high } },
  })
  const banded = grid.some((one) => typeof one["low"] === "number")
  return {
    id,
    alternative,
    spec: {
      data: { values: grid },
      layer: [
        ...(banded
          ? [area("low", "high", "var(--predictive)"), area("credibleLow", "credibleHigh", "var(--credible)")]
          : []),
        ...(groups.length === 0
          ? []
          : [
              {
                data: { values: groups },
                mark: {
                  type: "line" as const,
                  color: "var(--soft)",
                  strokeWidth: 1,
                  opacity: 0.7,
                },
                encoding: { ...encoding, detail: { field: "group", type: "nominal" as const } },
              },
            ]),
        { mark: { type: "line", color: "var(--accent)", strokeWidth: 2 }, encoding },
        ...scatter(values.length).map((one) => ({ data: { values }, ...one, encoding })),
      ],
    },
  }
}

/** The data of a picture of the law along a column. */
export interface BandData {
  readonly grid: Array<Point>
  readonly groups: Array<Point>
  readonly values: Array<Point>
}

/** Evidence over complexity: every law, and the line of those that no law as simple beats. */
export const front = (id: string, alternative: string, laws: Array<Point>, best: Array<Point>): Chart => {
  const all = [...laws, ...best]
  const of = (field: string): Array<number> => all.map((one) => Number(one[field]))
  const encoding = {
    x: { ...encoded({ title: "complexity", values: [0, 1] }, "x"), axis: { tickMinStep: 1, format: "d" } },
    y: encoded({ title: "log evidence", values: of("y") }, "y"),
  }
  return {
    id,
    alternative,
    spec: {
      data: { values: laws },
      layer: [
        { mark: { type: "point", filled: true, size: 18, color: "var(--soft)", opacity: 0.6 }, encoding },
        {
          data: { values: best },
          mark: { type: "line", interpolate: "step-after", color: "var(--accent)", strokeWidth: 1.5 },
          encoding,
        },
        {
          data: { values: best },
          mark: { type: "point", filled: true, size: 50, color: "var(--accent)", opacity: 1 },
          encoding,
        },
      ],
    },
  }
}

/** A quantity over the progress of a search. */
export const trace = (id: string, alternative: string, x: Axis, y: Axis, step: boolean): Chart => {
  const values = Array.from(x.values, (at, k) => ({ x: at, y: rounded(y.values[k]!) }))
  return {
    id,
    alternative,
    spec: {
      height: 200,
      data: { values },
      layer: [
        {
          mark: {
            type: "line",
            ...(step && { interpolate: "step-after" as const }),
            color: "var(--accent)",
            strokeWidth: 1.5,
          },
          encoding: { x: encoded(x, "x"), y: encoded(y, "y") },
        },
      ],
    },
  }
}

/** A number of each group with its interval, and the mean of the groups as a line. */
export const groups = (
  id: string,
  alternative: string,
  title: string,
  values: Array<Point>,
  mean: number,
): Chart => {
  const ends = values.flatMap((one) => [Number(one["low"]), Number(one["high"])])
  const x = encoded({ title, values: ends }, "x")
  const y = {
    field: "group",
    type: "nominal" as const,
    sort: null,
    title: null,
    axis: { labelLimit: 110, grid: false, labelOverlap: false },
  }
  return {
    id,
    alternative,
    spec: {
      height: 60 + 18 * values.length,
      data: { values: values.map((one) => ({ ...one, group: label(String(one["group"])) })) },
      layer: [
        {
          data: { values: [{ x: mean }] },
          mark: { type: "rule", color: "var(--accent)", strokeWidth: 1.5 },
          encoding: { x },
        },
        {
          mark: { type: "rule", color: "var(--point)", strokeWidth: 2 },
          encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y },
        },
        {
          mark: { type: "point", filled: true, size: 40, color: "var(--point)", opacity: 1 },
          encoding: { x, y },
        },
      ],
    },
  }
}
