import type { TopLevelSpec } from "vega-lite"
import { look } from "../harness/chart.ts"
import { distinct, type Judged } from "./results.ts"

/** Recovery in percent against noise, and against seconds: how much was found for good by then, at each noise. */
export const picture = (runs: ReadonlyArray<Judged>): TopLevelSpec => {
  const groups = distinct(runs.map(({ solver }) => solver)).flatMap((solver) =>
    distinct(runs.map(({ noise }) => noise)).map((noise) => ({
      solver,
      noise,
      list: runs.filter((run) => run.solver === solver && run.noise === noise),
    })),
  )
  const present = groups.filter(({ list }) => list.length > 0)
  const label = (noise: number): string => (noise === 0 ? "none" : `${100 * noise} %`)
  const share = (count: number, list: ReadonlyArray<Judged>): number => (100 * count) / list.length
  const recovered = (list: ReadonlyArray<Judged>): ReadonlyArray<Judged> =>
    list.filter(({ verdict }) => verdict.recovered)
  const byNoise = present.map(({ solver, noise, list }) => ({
    solver,
    noise: label(noise),
    order: noise,
    recovered: share(recovered(list).length, list),
  }))
  const earliest = 0.5
  const byTime = present.flatMap(({ solver, noise, list }) => {
    const times = recovered(list)
      .map(({ secondsToHit, seconds }) => Math.max(earliest, secondsToHit ?? seconds))
      .toSorted((a, b) => a - b)
    const end = Math.max(...list.map(({ budget }) => budget), ...times)
    const point = (seconds: number, count: number) => ({
      solver,
      noise: label(noise),
      order: noise,
      seconds,
      recovered: share(count, list),
    })
    return [point(earliest, 0), ...times.map((s, i) => point(s, i + 1)), point(end, times.length)]
  })
  const percent = {
    field: "recovered",
    type: "quantitative" as const,
    title: "recovered, %",
    scale: { domain: [0, 100] },
  }
  const color = { field: "solver", type: "nominal" as const, title: "solver", sort: null }
  const noise = {
    field: "noise",
    type: "nominal" as const,
    title: "noise",
    sort: { field: "order", op: "min" as const },
  }
  return {
    ...look,
    hconcat: [
      {
        width: 220,
        height: 240,
        data: { values: byNoise },
        mark: { type: "line", point: true },
        encoding: { x: { ...noise, axis: { labelAngle: 0 } }, y: percent, color },
      },
      {
        width: 420,
        height: 240,
        data: { values: byTime },
        mark: { type: "line", interpolate: "step-after" },
        encoding: {
          x: {
            field: "seconds",
            type: "quantitative",
            title: "seconds",
            scale: { type: "log", domainMin: earliest },
            axis: { values: [0.5, 1, 2, 5, 10, 20, 60], format: "~g" },
          },
          y: percent,
          color,
          strokeDash: noise,
        },
      },
    ],
  }
}
