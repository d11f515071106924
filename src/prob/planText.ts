import type { Node } from "./Graph.ts"
import type { Plan } from "./Plan.ts"

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

const shapeText = (shape: ReadonlyArray<number>): string => `[${shape.join(", ")}]`

/** A plan as a page of text: its sites with their priors and factors, its parameter and noise slots, its graph. */
export const page = (plan: Plan): string => {
  const sites = plan.sites.map(({ name, support, shape, size, prior, factor }) => {
    const dist = prior._tag === "Each" ? prior.dists[0]! : prior.dist
    const tag = dist._tag === "Conditional" ? `${dist.name}(latent)` : dist.name
    return [
      name,
      support,
      shapeText(shape),
      String(size),
      prior._tag === "Each" ? `${tag}, each its own` : tag,
      factor.name,
    ]
  })
  const parameters = plan.parameters.map(({ site, name, shape, offset }) => [
    `${site}.${name}`,
    shapeText(shape),
    String(offset),
  ])
  const noise = plan.noise.map(({ site, kind, shape, offset }) => [
    site,
    kind,
    shapeText(shape),
    String(offset),
  ])
  const nodes = plan.graph.nodes.map(({ id, label, inputs }) => [String(id), label, inputs.join(" ")])
  return [
    table([["site", "support", "shape", "size", "prior", "factor"], ...sites]),
    table([[`parameters (${plan.parameterCount})`, "shape", "offset"], ...parameters]),
    table([[`noise (${plan.noiseCount} a sample)`, "kind", "shape", "offset"], ...noise]),
    table([["node", "value", "inputs"], ...nodes]),
  ].join("\n\n")
}

const shapes: Readonly<Record<Node["operation"]["_tag"], string>> = {
  Parameter: "box",
  Noise: "diamond",
  Draw: "ellipse",
  Values: "ellipse",
  Forest: "house",
  Evidence: "doubleoctagon",
  Divergence: "octagon",
}

/** The graph of a plan in Graphviz's DOT language: parameters are boxes, noise diamonds, objective terms octagons. */
export const dot = (plan: Plan): string =>
  [
    "digraph plan {",
    '  rankdir=LR; node [fontname="Helvetica"];',
    ...plan.graph.nodes.map(
      ({ id, label, operation }) =>
        `  n${id} [shape=${shapes[operation._tag]}, label=${JSON.stringify(label)}];`,
    ),
    ...plan.graph.nodes.flatMap(({ id, inputs }) => inputs.map((input) => `  n${input} -> n${id};`)),
    "}",
  ].join("\n")
