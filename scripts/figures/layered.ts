/** A picture of a graph without cycles: boxes in rows, each box above those that it points to. */

/** A box and the names of the boxes that it points to. */
export interface Box {
  readonly name: string
  readonly caption: string
  readonly below: ReadonlyArray<string>
}

const ink = "#1f2933"
const soft = "#52606d"
const line = "#9aa5b1"
const fill = "#f5f7fa"

const box = { width: 190, height: 44 }
const gap = { column: 26, row: 34 }
const margin = 16

/** A place in a row: a box, or the bend of an arrow that passes the row. */
interface Place {
  readonly name: string
  readonly bend: boolean
  readonly width: number
}

/** Length of the longest path below each box. */
const heightsOf = (boxes: ReadonlyArray<Box>): ReadonlyMap<string, number> => {
  const byName = new Map(boxes.map((one) => [one.name, one]))
  const heights = new Map<string, number>()
  const height = (name: string): number => {
    const known = heights.get(name)
    if (known !== undefined) return known
    const below = byName.get(name)?.below ?? []
    const value = below.length === 0 ? 0 : 1 + Math.max(...below.map(height))
    heights.set(name, value)
    return value
  }
  for (const { name } of boxes) height(name)
  return heights
}

/** Arrows as chains of places, one in each row that the arrow touches. */
interface Layers {
  readonly rows: Array<Array<Place>>
  readonly chains: ReadonlyArray<ReadonlyArray<string>>
}

const layersOf = (boxes: ReadonlyArray<Box>): Layers => {
  const heights = heightsOf(boxes)
  const top = Math.max(...heights.values())
  const rows: Array<Array<Place>> = Array.from({ length: top + 1 }, () => [])
  for (const { name } of boxes) rows[heights.get(name)!]!.push({ name, bend: false, width: box.width })
  const chains = boxes.flatMap(({ name, below }) =>
    below.map((target) => {
      const chain = [name]
      for (let row = heights.get(name)! - 1; row > heights.get(target)!; row--) {
        const bend = `${name}>${target}@${row}`
        rows[row]!.push({ name: bend, bend: true, width: 8 })
        chain.push(bend)
      }
      return [...chain, target]
    }),
  )
  return { rows, chains }
}

const centreOf = (places: ReadonlyArray<Place>, index: number): number =>
  places.slice(0, index).reduce((sum, { width }) => sum + width + gap.column, 0) + places[index]!.width / 2

/** Sorts each row by the mean position of its neighbours, downwards and upwards in turn, which unties most crossings. */
const untangle = ({ rows, chains }: Layers): void => {
  const neighbours = new Map<string, Array<string>>()
  const meet = (one: string, other: string) => neighbours.set(one, [...(neighbours.get(one) ?? []), other])
  for (const chain of chains)
    for (let i = 1; i < chain.length; i++) {
      meet(chain[i - 1]!, chain[i]!)
      meet(chain[i]!, chain[i - 1]!)
    }
  for (let sweep = 0; sweep < 24; sweep++) {
    const upwards = [...rows.keys()]
    const order = sweep % 2 === 0 ? upwards : upwards.toReversed()
    for (const index of order) {
      const position = new Map<string, number>()
      for (const row of rows) {
        const middle = centreOf(row, row.length - 1) / 2
        for (const [i, { name }] of row.entries()) position.set(name, centreOf(row, i) - middle)
      }
      const wanted = (name: string): number => {
        const around = neighbours.get(name) ?? []
        if (around.length === 0) return position.get(name)!
        return around.reduce((sum, one) => sum + position.get(one)!, 0) / around.length
      }
      const keys = new Map(rows[index]!.map(({ name }) => [name, wanted(name)]))
      rows[index]!.sort((a, b) => keys.get(a.name)! - keys.get(b.name)!)
    }
  }
}

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** The picture as SVG text. Equal graphs give equal text. @throws when a box points to a box that there is none of */
export const draw = (boxes: ReadonlyArray<Box>, title: string): string => {
  const names = new Set(boxes.map(({ name }) => name))
  for (const { name, below } of boxes)
    for (const target of below)
      if (!names.has(target)) throw new Error(`${name} points to ${target}, which is no box`)
  const layers = layersOf(boxes)
  untangle(layers)
  const widths = layers.rows.map((row) => centreOf(row, row.length - 1) + row.at(-1)!.width / 2)
  const width = Math.max(...widths) + 2 * margin
  const height = layers.rows.length * (box.height + gap.row) - gap.row + 2 * margin
  const places = new Map<string, { readonly x: number; readonly y: number; readonly bend: boolean }>()
  for (const [index, row] of layers.rows.entries())
    for (const [i, { name, bend }] of row.entries())
      places.set(name, {
        x: (width - widths[index]!) / 2 + centreOf(row, i),
        y: margin + (layers.rows.length - 1 - index) * (box.height + gap.row),
        bend,
      })
  const r = (value: number): string => String(Math.round(value))
  const arrows = layers.chains.map((chain) => {
    const [start, ...rest] = chain.map((name) => places.get(name)!)
    let d = `M${r(start!.x)} ${r(start!.y + box.height)}`
    let from = { x: start!.x, y: start!.y + box.height }
    for (const { x, y, bend } of rest) {
      const middle = (from.y + y) / 2
      d += ` C${r(from.x)} ${r(middle)} ${r(x)} ${r(middle)} ${r(x)} ${r(y)}`
      if (bend) d += ` V${r(y + box.height)}`
      from = { x, y: y + box.height }
    }
    return `<path d="${d}" fill="none" stroke="${line}" stroke-width="1.4" marker-end="url(#head)"/>`
  })
  const drawn = boxes.map(({ name, caption }) => {
    const { x, y } = places.get(name)!
    return [
      `<rect x="${r(x - box.width / 2)}" y="${r(y)}" width="${box.width}" height="${box.height}" rx="6" fill="${fill}" stroke="${soft}"/>`,
      `<text x="${r(x)}" y="${r(y + 19)}" font-size="14" font-weight="600" fill="${ink}">${xml(name)}</text>`,
      `<text x="${r(x)}" y="${r(y + 35)}" font-size="11" fill="${soft}">${xml(caption)}</text>`,
    ].join("\n")
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${r(width)} ${r(height)}" width="${r(width)}" height="${r(height)}" font-family="system-ui, sans-serif" text-anchor="middle">
<title>${xml(title)}</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="${line}"/></marker></defs>
<rect width="100%" height="100%" fill="#ffffff"/>
${[...arrows, ...drawn].join("\n")}
</svg>
`
}
