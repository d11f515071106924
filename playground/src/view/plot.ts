import { scaleLinear, scaleLog } from "d3-scale"
import { html, nothing, svg, type TemplateResult } from "lit-html"
import { extremes } from "../../../src/numeric/extremes.ts"
import { pow } from "../../../src/numeric/Power.ts"

/** A plot of points, with a curve through them or a line where they should lie. */
export interface Plot {
  /** different from that of every other plot of the page */
  readonly name: string
  readonly title: string
  /** for screen readers: what the picture shows, in a sentence */
  readonly description: string
  readonly x: Float64Array
  readonly y: Float64Array
  readonly xLabel: string
  readonly yLabel: string
  readonly curve?:
    | {
        readonly x: Float64Array
        readonly y: Float64Array
        readonly low: Float64Array | undefined
        readonly high: Float64Array | undefined
      }
    | undefined
  /** the line y = x, or y = 0 */
  readonly reference?: "diagonal" | "zero" | undefined
  /** both axes show the same values */
  readonly same?: boolean | undefined
  readonly width: number
}

const margin = { top: 10, right: 14, bottom: 44 }
/** The widths of a character of a label and of the name of an axis, in pixels. */
const [letter, named] = [7, 30]

/** The ends of an axis: those of the values, and some distance between them. */
const extent = (...columns: ReadonlyArray<Float64Array>): readonly [number, number] => {
  const { low, high } = extremes(...columns) ?? { low: 0, high: 1 }
  return low === high ? [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2] : [low, high]
}

/** Values over more than a decade and a half are shown by their logarithms. */
const isWide = ([least, most]: readonly [number, number]): boolean => least > 0 && most > 30 * least

/** The share of an axis that is left free at each of its ends. */
const free = 0.04

/** An axis over some values: logarithmic where they are wide and it may be so. */
const axis = (
  [least, most]: readonly [number, number],
  range: readonly [number, number],
  { logarithms, between }: { readonly logarithms: boolean; readonly between: number },
) => {
  const logarithmic = logarithms && isWide([least, most])
  const [margin, factor] = [free * (most - least), pow(most / least, free)]
  const scale = logarithmic
    ? scaleLog([least / factor, most * factor], range)
    : scaleLinear([least - margin, most + margin], range)
  const count = Math.max(3, Math.floor(Math.abs(range[1] - range[0]) / between))
  const all = scale.ticks(count)
  return {
    labelled: logarithmic ? thinned(rounds(all), count) : all,
    at: (value: number) => scale(value),
  }
}

/** The mantissa of a number. */
const mantissa = (value: number): number => Number(value.toExponential(6).split("e")[0])

/** Of the ticks of a logarithmic axis the powers of ten; of a short one those of 1, 2 and 5. */
const rounds = (ticks: ReadonlyArray<number>): ReadonlyArray<number> => {
  const decades = ticks.filter((value) => mantissa(value) === 1)
  return decades.length > 2 ? decades : ticks.filter((value) => [1, 2, 5].includes(mantissa(value)))
}

const thinned = (values: ReadonlyArray<number>, count: number): ReadonlyArray<number> => {
  const every = Math.ceil(values.length / count)
  return values.filter((_, k) => k % every === 0)
}

const superscript = (text: string): string =>
  Array.from(text, (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("")

/** A number of an axis: 0.01, 200, 10⁶. */
const label = (value: number): string => {
  const size = Math.abs(value)
  if (value === 0 || (size >= 1e-3 && size < 1e5))
    return String(Number(value.toPrecision(6))).replace("-", "−")
  const [mantissa = "", exponent = ""] = Number(value.toPrecision(4)).toExponential().split("e")
  const power = `10${superscript(exponent.replace("+", ""))}`
  return mantissa === "1" ? power : `${mantissa.replace("-", "−")}·${power}`
}

const path = (
  xs: Float64Array,
  ys: Float64Array,
  x: (value: number) => number,
  y: (value: number) => number,
): string => {
  let text = ""
  let pen = "M"
  for (let k = 0; k < xs.length; k++) {
    const [px, py] = [x(xs[k]!), y(ys[k]!)]
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      pen = "M"
      continue
    }
    text += `${pen}${px.toFixed(1)},${Math.max(-1e4, Math.min(1e4, py)).toFixed(1)}`
    pen = "L"
  }
  return text
}

/** The area between two curves; none where either is not finite. */
const area = (
  xs: Float64Array,
  [low, high]: readonly [Float64Array, Float64Array],
  x: (value: number) => number,
  y: (value: number) => number,
): string => {
  const kept = Array.from(xs.keys()).filter(
    (k) => Number.isFinite(y(low[k]!)) && Number.isFinite(y(high[k]!)),
  )
  if (kept.length < 2) return ""
  const side = (of: Float64Array, order: ReadonlyArray<number>): string =>
    order.map((k) => `${x(xs[k]!).toFixed(1)},${y(of[k]!).toFixed(1)}`).join("L")
  return `M${side(high, kept)}L${side(low, kept.toReversed())}Z`
}

/** A plot as SVG; colours are those of the page's style. */
export const plot = ({
  name,
  title,
  description,
  x,
  y,
  xLabel,
  yLabel,
  curve,
  reference,
  same,
  width,
}: Plot): TemplateResult => {
  const height = Math.round(Math.min(360, Math.max(230, width * 0.62)))
  const right = width - margin.right
  const bottom = height - margin.bottom
  const xEnds = same === true ? extent(x, y) : extent(x)
  const yEnds = same === true ? xEnds : reference === "zero" ? balanced(extent(y)) : extent(y, curve?.y ?? y)
  const up = axis(yEnds, [bottom, margin.top], { logarithms: reference !== "zero", between: 40 })
  const left = named + letter * Math.max(...up.labelled.map((value) => label(value).length))
  const across = axis(xEnds, [left, right], { logarithms: true, between: 70 })
  return html`<figure class="plot">
    <figcaption>${title}</figcaption>
    <svg
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label=${description}
    >
      <clipPath id="plot-${name}">
        <rect
          x=${left}
          y=${margin.top}
          width=${Math.max(0, right - left)}
          height=${Math.max(0, bottom - margin.top)}
        ></rect>
      </clipPath>
      ${across.labelled.map(
        (value) =>
          svg`<line class="grid" x1=${across.at(value)} x2=${across.at(value)} y1=${margin.top} y2=${bottom}></line>
            <text class="tick" x=${across.at(value)} y=${bottom + 17} text-anchor="middle">${label(value)}</text>`,
      )}
      ${up.labelled.map(
        (value) =>
          svg`<line class="grid" x1=${left} x2=${right} y1=${up.at(value)} y2=${up.at(value)}></line>
            <text class="tick" x=${left - 8} y=${up.at(value) + 4} text-anchor="end">${label(value)}</text>`,
      )}
      <g clip-path="url(#plot-${name})">
        ${
          curve?.low === undefined || curve.high === undefined
            ? nothing
            : svg`<path class="band" d=${area(curve.x, [curve.low, curve.high], across.at, up.at)}></path>`
        }
        ${
          reference === undefined
            ? nothing
            : svg`<line class="reference" x1=${left} x2=${right}
                y1=${reference === "zero" ? up.at(0) : bottom} y2=${reference === "zero" ? up.at(0) : margin.top}></line>`
        }
        ${curve === undefined ? nothing : svg`<path class="curve" d=${path(curve.x, curve.y, across.at, up.at)}></path>`}
        ${Array.from(x.keys(), (row) => {
          const [px, py] = [across.at(x[row]!), up.at(y[row]!)]
          return Number.isFinite(px) && Number.isFinite(py)
            ? svg`<circle class="point" cx=${px.toFixed(1)} cy=${py.toFixed(1)} r=${x.length > 200 ? 2 : 3.5}></circle>`
            : nothing
        })}
      </g>
      <text class="axis" x=${(left + right) / 2} y=${height - 6} text-anchor="middle">${xLabel}</text>
      <text
        class="axis"
        transform="translate(14,${(margin.top + bottom) / 2}) rotate(-90)"
        text-anchor="middle"
      >
        ${yLabel}
      </text>
    </svg>
  </figure>`
}

/** Ends with 0 in their middle. */
const balanced = ([least, most]: readonly [number, number]): readonly [number, number] => {
  const size = Math.max(Math.abs(least), Math.abs(most))
  return [-size, size]
}
