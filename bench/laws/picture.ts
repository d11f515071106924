import type { TopLevelSpec } from "vega-lite"
import { scalarFunction } from "../../src/expr/evaluate.ts"
import type * as Term from "../../src/expr/Term.ts"
import { look } from "../harness/chart.ts"
import { lawOf } from "./data.ts"
import type { Measured } from "./sets.ts"

/** Points of a curve. */
const resolution = 120

const round = (x: number): number => Number(x.toPrecision(5))

const wide = (values: ReadonlyArray<number>): boolean =>
  Math.min(...values) > 0 && Math.max(...values) > 1000 * Math.min(...values)

interface Place {
  readonly curve: string
  readonly x: number
  readonly y: number
}

const names = { law: "textbook", ours: "best answer" } as const

const spaced = (low: number, high: number, logarithmic: boolean): ReadonlyArray<number> =>
  Array.from({ length: resolution }, (_, i) => {
    const share = i / (resolution - 1)
    return logarithmic ? low * (high / low) ** share : low + (high - low) * share
  })

/** A measured set with the textbook's law and our answer: curves over one feature, or measured against computed values. */
export const picture = (one: Measured, ours: Term.Term | undefined): TopLevelSpec => {
  const features = Object.keys(one.columns).filter((name) => name !== one.target)
  const y = one.columns[one.target]!
  const laws = { [names.law]: lawOf(one), ...(ours === undefined ? {} : { [names.ours]: ours }) }
  const [feature = ""] = features
  const single = features.length === 1
  const x = one.columns[feature]!
  const logarithmic = {
    x: single ? wide(x) : wide(y),
    y: one.residuals === "logarithmic" || (!single && wide(y)),
  }
  const curves = Object.entries(laws).flatMap(([curve, term]): ReadonlyArray<Place> => {
    const at = scalarFunction(term, features)
    const places = single
      ? spaced(Math.min(...x), Math.max(...x), logarithmic.x).map((value) => ({ x: value, y: at([value]) }))
      : y.map((value, i) => ({ x: at(features.map((name) => one.columns[name]![i]!)), y: value }))
    return places
      .filter((place) => Number.isFinite(place.x) && Number.isFinite(place.y))
      .filter((place) => !(logarithmic.y && place.y <= 0) && !(logarithmic.x && place.x <= 0))
      .map((place) => ({ curve, x: round(place.x), y: round(place.y) }))
  })
  const rows = y.map((value, i) => ({ x: round(x[i]!), y: round(value) }))
  const axis = (title: string, log: boolean) => ({
    type: "quantitative" as const,
    title,
    scale: log ? { type: "log" as const, nice: false } : { zero: false },
  })
  const encoding = {
    x: { field: "x", ...axis(single ? feature : `${one.target}, computed`, logarithmic.x) },
    y: { field: "y", ...axis(single ? one.target : `${one.target}, measured`, logarithmic.y) },
  }
  const color = {
    field: "curve",
    type: "nominal" as const,
    title: null,
    scale: { domain: [names.law, names.ours], range: ["#555555", "#d62728"] },
  }
  return {
    ...look,
    width: 320,
    height: 200,
    layer: [
      ...(single
        ? [{ data: { values: rows }, mark: { type: "point" as const, size: 18, color: "#1f77b4" }, encoding }]
        : []),
      {
        data: { values: curves },
        mark: single
          ? { type: "line" as const, strokeWidth: 1.5 }
          : { type: "point" as const, size: 18, opacity: 0.8 },
        encoding: {
          ...encoding,
          color,
          ...(single
            ? {
                strokeDash: {
                  field: "curve",
                  type: "nominal" as const,
                  title: null,
                  scale: {
                    domain: [names.law, names.ours],
                    range: [
                      [1, 0],
                      [5, 3],
                    ],
                  },
                },
              }
            : {
                shape: {
                  field: "curve",
                  type: "nominal" as const,
                  title: null,
                  scale: { domain: [names.law, names.ours], range: ["circle", "cross"] },
                },
              }),
        },
      },
    ],
  }
}
