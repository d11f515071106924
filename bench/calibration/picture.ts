import type { TopLevelSpec } from "vega-lite"
import type { Diagram } from "../../src/testing/calibration.ts"
import { look } from "../harness/chart.ts"

const round = (x: number): number => Number(x.toFixed(3))

/** Reliability diagrams side by side: stated probability against how often it is right, with 95 % intervals; the diagonal is right. */
export const picture = (diagrams: ReadonlyArray<readonly [name: string, Diagram]>): TopLevelSpec => ({
  ...look,
  hconcat: diagrams.map(([name, { bins }]) => ({
    title: name,
    width: 220,
    height: 220,
    layer: [
      {
        data: {
          values: [
            { x: 0, y: 0 },
            { x: 1, y: 1 },
          ],
        },
        mark: { type: "line", color: "#999", strokeDash: [4, 3] },
        encoding: {
          x: { field: "x", type: "quantitative", title: "stated probability" },
          y: { field: "y", type: "quantitative", title: "share that is the law" },
        },
      },
      {
        data: {
          values: bins
            .filter(({ count }) => count > 0)
            .map(({ stated, right, count, interval: [low, high] }) => ({
              stated: round(stated),
              right: round(right),
              count,
              low: round(low),
              high: round(high),
            })),
        },
        encoding: { x: { field: "stated", type: "quantitative", scale: { domain: [0, 1] } } },
        layer: [
          {
            mark: { type: "rule", color: "#4c78a8" },
            encoding: { y: { field: "low", type: "quantitative" }, y2: { field: "high" } },
          },
          {
            mark: { type: "point", filled: true, color: "#4c78a8" },
            encoding: {
              y: { field: "right", type: "quantitative", scale: { domain: [0, 1] } },
              size: { field: "count", type: "quantitative", legend: null, scale: { range: [20, 200] } },
            },
          },
        ],
      },
    ],
  })),
})
