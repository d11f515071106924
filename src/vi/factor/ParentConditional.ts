import type { Algebra } from "../../numeric/Algebra.ts"
import * as Categorical from "../../prob/dist/Categorical.ts"
import type { Factor, FactorSite, WeightedDraws } from "../../prob/Factor.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import * as Skeleton from "../../prob/Skeleton.ts"
import { CompileError } from "../../errors/Errors.ts"
import * as Rng from "../../random/Rng.ts"
import { clamp, type LogitSettings } from "./Bernoulli.ts"
import { expectedLogWeights, logitsOf, logProbabilities, priorLogWeights } from "./Categorical.ts"
import type { Constant } from "./divergence.ts"
import { fill, scattered } from "./Initial.ts"

/**
 * The layout of a site and its parameters in memory: trees of nodes in heap order, and for each tree m + 1 rows of m
 * logits. Row 0 is the root's, row 1 + k that of nodes whose parent is k.
 */
interface Layout {
  readonly trees: number
  readonly nodes: number
  readonly categories: number
  readonly clip: number
}

/**
 * Categories of the nodes of a skeleton, each given the category of its parent:
 *
 *     q(o) = Cat(o_0; softmax(root)) prod_(z > 0) Cat(o_z; softmax(below_k)),  k = o_parent(z)
 *
 * with one table of m + 1 rows for each tree, shared by all of its nodes. The innermost axis of the site is the nodes
 * in heap order. Starts near the uniform distribution. It has no relaxed draw: fit with
 * `ScoreFunction.fit` or `Inclusive.fit`.
 *
 * @throws CompileError when the innermost axis is no full binary skeleton
 */
export const parentConditional =
  (settings: LogitSettings) =>
  (site: FactorSite<"categorical">): Factor<"categorical"> => {
    const nodes = site.shape.at(-1) ?? 0
    const levels = Real.log2(nodes + 1)
    if (!(nodes >= 1 && Number.isInteger(levels)))
      throw new CompileError({
        message: `the site "${site.name}" has the shape [${site.shape.join()}], but a factor of parents and children needs the nodes of a full binary skeleton (1, 3, 7, ...) on its innermost axis`,
      })
    const categories = site.size
    const outer = site.shape.slice(0, -1)
    // The axis of nodes has length 1, so that rows broadcast over the nodes.
    const shape = [...outer, 1, categories]
    const layout: Layout = { trees: product(outer), nodes, categories, clip: settings.logitsClip }
    const initialise = scattered([0], layout.trees * categories, settings.initialScale)
    return {
      name: "Categorical(logits | parent)",
      support: "categorical",
      parameters: [
        { name: "root", shape, initialise },
        ...Array.from({ length: categories }, (_, k) => ({ name: `below${k}`, shape, initialise })),
      ],
      noise: [],
      // Priors depend on weights and probabilities, never on a category.
      moments: () => {
        throw new Error(`a prior depends on the categories of the site "${site.name}"`)
      },
      divergence: (A, constant, parameters, parent) => {
        const rows = parameters.map((row) => clamp(A, row, layout.clip))
        const log = priorLogWeights(site, A, constant) ?? expectedLogWeights(site, parent)
        if (log === undefined)
          throw new CompileError({
            message: `the factor of parents and children of the site "${site.name}" needs a categorical prior whose weights are known, or a site with a known E[log w]`,
          })
        return occupancies(A, constant, layout, rows)
          .map((occupancy, row) =>
            A.sumAll(A.binary.mul(occupancy, Categorical.klLogits(A)(rows[row]!, log))),
          )
          .reduce(A.binary.add)
      },
      sample: (key, parameters, count) => sample(layout, key, parameters, count),
      logDensity: (parameters, values) => logDensity(layout, parameters, values),
      score: (parameters, values, weights) => score(layout, parameters, values, weights),
      project: (parameters, draws, rate) => project(layout, parameters, draws, rate),
    }
  }

/**
 * The probability that a node is drawn from a row, row by row, each [..., nodes]: 1 at the root for row 0, and
 * P(o_parent = k) below it for row 1 + k. The nodes of a level have one distribution, computed level by level from the
 * tables.
 */
const occupancies = <T>(
  A: Algebra<T>,
  constant: Constant<T>,
  { nodes, categories }: Layout,
  rows: ReadonlyArray<T>,
): ReadonlyArray<T> => {
  const { add, mul } = A.binary
  const depths = Array.from({ length: nodes }, (_, node) => Skeleton.depthOf(node))
  const level = (depth: number): T =>
    constant(
      depths.map((own) => (own === depth ? 1 : 0)),
      [nodes],
    )
  const indices = Array.from({ length: categories }, (_, k) => k)
  const units = indices.map((k) =>
    constant(
      indices.map((other) => (other === k ? 1 : 0)),
      [categories],
    ),
  )
  const [root, ...below] = rows.map(A.softmaxLast)
  const found: Array<T> = indices.map(() => A.literal(0))
  // P(o_z = k) of a level, [..., 1, m].
  let marginal = root as T
  for (let depth = 1; depth <= depths.at(-1)!; depth++) {
    // [..., 1] for each k
    const parents = units.map((unit) => A.sumLast(mul(marginal, unit)))
    const here = level(depth)
    // `found`, `parents` and `below` have one element for each k. `!` does not apply: `T` may include undefined.
    parents.forEach((probability, k) => (found[k] = add(found[k] as T, mul(probability, here))))
    marginal = parents
      // As above.
      .map((probability, k) => mul(A.expandLast(probability), below[k] as T))
      .reduce((a, b) => add(a, b))
  }
  return [level(0), ...found]
}

/** The rows of parameters, and the offset of each tree's rows. */
const rowsOf = (
  { categories, clip }: Layout,
  parameters: ReadonlyArray<ArrayLike<number>>,
): ReadonlyArray<Float64Array> => parameters.map((row) => logProbabilities(row, categories, clip))

const parentOf = (node: number): number => (node - 1) >> 1

const sample = (
  layout: Layout,
  key: Rng.Key,
  parameters: ReadonlyArray<ArrayLike<number>>,
  count: number,
): Float64Array => {
  const { trees, nodes, categories } = layout
  const rows = rowsOf(layout, parameters)
  const generator = Rng.generator(key)
  const out = new Float64Array(count * trees * nodes)
  for (let base = 0; base < out.length; base += nodes) {
    const at = ((base / nodes) % trees) * categories
    for (let node = 0; node < nodes; node++) {
      const row = rows[node === 0 ? 0 : 1 + out[base + parentOf(node)]!]!
      let left = generator.next()
      let k = 0
      while (k < categories - 1 && (left -= Real.exp(row[at + k]!)) >= 0) k++
      out[base + node] = k
    }
  }
  return out
}

/** Sums over the categories of nodes that are NaN by messages from the leaves to the root. */
const logDensity = (
  layout: Layout,
  parameters: ReadonlyArray<ArrayLike<number>>,
  values: ArrayLike<number>,
): Float64Array => {
  const { trees, nodes, categories } = layout
  const rows = rowsOf(layout, parameters)
  /** log p of the given categories at a node and below, given its row of parameters; 0 without any */
  const message = (base: number, at: number, node: number, row: number): number => {
    const value = values[base + node]!
    const children = 2 * node + 1 < nodes ? [2 * node + 1, 2 * node + 2] : []
    const given = (k: number): number =>
      children.reduce((sum, child) => sum + message(base, at, child, 1 + k), rows[row]![at + k]!)
    if (!Number.isNaN(value)) return given(value)
    if (!children.some((child) => anything(values, base, nodes, child))) return 0
    const logs = Array.from({ length: categories }, (_, k) => given(k))
    const most = Math.max(...logs)
    return most + Real.log(logs.reduce((sum, log) => sum + Real.exp(log - most), 0))
  }
  return fill(values.length / (trees * nodes), (draw) => {
    let log = 0
    for (let tree = 0; tree < trees; tree++)
      log += message((draw * trees + tree) * nodes, tree * categories, 0, 0)
    return log
  })
}

/** Whether a node or a node below it has a category. */
const anything = (values: ArrayLike<number>, base: number, nodes: number, node: number): boolean =>
  node < nodes &&
  (!Number.isNaN(values[base + node]!) ||
    anything(values, base, nodes, 2 * node + 1) ||
    anything(values, base, nodes, 2 * node + 2))

/**
 * The derivatives of the weighted log density. Nodes without a category, or without one at their parent, are left out as in
 * `project`: trees grow from the root, so that the categories below a node without one are not read.
 */
const score = (
  layout: Layout,
  parameters: ReadonlyArray<ArrayLike<number>>,
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
): ReadonlyArray<Float64Array> => {
  const { trees, nodes, categories, clip } = layout
  const rows = rowsOf(layout, parameters)
  const sums = rows.map((row) => new Float64Array(row.length))
  for (let draw = 0; draw < weights.length; draw++)
    for (let tree = 0; tree < trees; tree++) {
      const base = (draw * trees + tree) * nodes
      for (let node = 0; node < nodes; node++) {
        const value = values[base + node]!
        const row = node === 0 ? 0 : 1 + values[base + parentOf(node)]!
        if (Number.isNaN(value) || Number.isNaN(row)) continue
        for (let k = 0; k < categories; k++) {
          const at = tree * categories + k
          sums[row]![at]! += weights[draw]! * (Number(k === value) - Real.exp(rows[row]![at]!))
        }
      }
    }
  // Clamped logits have the slope 0.
  return sums.map((sum, row) => sum.map((slope, at) => (Math.abs(parameters[row]![at]!) > clip ? 0 : slope)))
}

/**
 * Counts of pairs of a parent and a child, added to the expected counts of a skeleton under q. A node without a
 * category at its parent is not counted; trees grow from the root, so that there is none.
 */
const project = (
  layout: Layout,
  parameters: ReadonlyArray<ArrayLike<number>>,
  { values, weights }: WeightedDraws,
  rate: number,
): ReadonlyArray<Float64Array> => {
  const { trees, nodes, categories } = layout
  const probabilities = rowsOf(layout, parameters).map((row) => row.map(Real.exp))
  const mass = probabilities.map((row) => new Float64Array(row.length))
  for (let tree = 0; tree < trees; tree++) {
    const at = tree * categories
    const table = probabilities.map((row) => row.subarray(at, at + categories))
    let marginal = table[0]!
    // The expected counts under q: levels have 1, 2, 4, ... nodes.
    for (let k = 0; k < categories; k++) mass[0]![at + k] = (1 - rate) * marginal[k]!
    for (let width = 2; width < nodes; width *= 2) {
      const next = new Float64Array(categories)
      for (let parent = 0; parent < categories; parent++)
        for (let k = 0; k < categories; k++) {
          const joint = marginal[parent]! * table[1 + parent]![k]!
          next[k]! += joint
          mass[1 + parent]![at + k]! += (1 - rate) * width * joint
        }
      marginal = next
    }
  }
  for (let draw = 0; draw < weights.length; draw++)
    for (let tree = 0; tree < trees; tree++) {
      const base = (draw * trees + tree) * nodes
      for (let node = 0; node < nodes; node++) {
        const value = values[base + node]!
        const row = node === 0 ? 0 : 1 + values[base + parentOf(node)]!
        if (!Number.isNaN(value) && !Number.isNaN(row))
          mass[row]![tree * categories + value]! += rate * weights[draw]!
      }
    }
  return mass.map((row, index) => logitsOf(row, parameters[index]!, categories, layout.clip))
}
