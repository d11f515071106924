import type { Forest } from "../../prob/Forest.ts"
import type { Joint, Values } from "../../prob/Joint.ts"
import * as Prior from "../../prob/Prior.ts"
import * as Skeleton from "../../prob/Skeleton.ts"
import * as Real from "../../numeric/Real.ts"
import * as Rng from "../../random/Rng.ts"
import { clamped, type LogitSettings } from "../factor/Bernoulli.ts"
import { logitsOf } from "../factor/Categorical.ts"
import { fill, scattered } from "../factor/Initial.ts"
import * as ExpectedVisits from "./ExpectedVisits.ts"
import * as PreOrder from "./PreOrder.ts"
import * as Rows from "./Rows.ts"

type Parameters = ReadonlyArray<ArrayLike<number>>

/**
 * Trees whose choices depend on those before them in pre-order: a node's expansion indicator, operator and terminal are
 * drawn given the operator of its parent and the symbol of its left sibling (`PreOrder`),
 *
 *     q(T) = prod_z q(e_z; row) q(o_z; row)^e_z q(h_z; row)^(1 - e_z)
 *
 * over the nodes z of the pruned tree, with one row of logits for each node and condition, and for each of the K trees. It
 * has every distribution over trees of depth 1, and that of the mean field where all rows of a node are equal. Elements that
 * no tree reads are 0. Starts at the prior of the indicators, near the uniform distribution otherwise.
 *
 * A tree in which elements are NaN has none, or all that it reads.
 */
export const autoregressive = (forest: Forest, settings: LogitSettings): Joint => {
  const order = PreOrder.make(forest)
  const { nodes, inner, innerRows, operators, terminals, first } = order
  const { sites, trees: K } = forest
  const names = [sites.split, sites.operator, sites.terminal] as const
  const rows = first.at(-1)!
  const starts = Array.from({ length: inner }, (_, node) => {
    const p = Prior.splitProbability(forest.split, Skeleton.depthOf(node))
    const logit = clamped(Real.log(p) - Real.log1p(-p), settings.logitsClip)
    return Array.from({ length: first[node + 1]! - first[node]! }, () => logit)
  }).flat()
  const slot = (name: string, shape: ReadonlyArray<number>, values: ReadonlyArray<number>) => ({
    name,
    shape: [K, ...shape],
    initialise: scattered(
      values,
      shape.reduce((product, length) => product * length, K),
      settings.initialScale,
    ),
  })
  const tablesOf = (parameters: Parameters): Rows.Rows =>
    Rows.make(parameters, { operators, terminals, clip: settings.logitsClip })
  const rowOf = (choice: PreOrder.Choice, tree: number, row: number): number =>
    tree * (choice === "terminal" ? rows : innerRows) + row
  /** Visits the choices of all drawn trees; `draw` counts draws. */
  const eachChoice = (
    values: Values,
    count: number,
    use: (draw: number, choice: PreOrder.Choice, row: number, value: number) => void,
  ): void => {
    const of = {
      split: values.get(names[0])!,
      operator: values.get(names[1])!,
      terminal: values.get(names[2])!,
    }
    for (let draw = 0; draw < count; draw++)
      for (let tree = 0; tree < K; tree++) {
        const base = (draw * K + tree) * nodes
        order.visit((choice, node, row) => {
          const value = of[choice][base + node]!
          if (!Number.isNaN(value)) use(draw, choice, rowOf(choice, tree, row), value)
          return value
        })
      }
  }
  return {
    name: "Autoregressive(logits | parent, sibling)",
    sites: names,
    parameters: [
      slot("split", [innerRows], starts),
      slot("operator", [innerRows, operators], [0]),
      slot("terminal", [rows, terminals], [0]),
    ],
    sample: (key, parameters, count) => {
      const tables = tablesOf(parameters)
      const generator = Rng.generator(key)
      const blank = (): Float64Array => new Float64Array(count * K * nodes)
      const out = { split: blank(), operator: blank(), terminal: blank() }
      for (let base = 0; base < out.split.length; base += nodes) {
        const tree = (base / nodes) % K
        order.visit((choice, node, row) => {
          const value = tables.draw(choice, rowOf(choice, tree, row), generator.next())
          out[choice][base + node] = value
          return value
        })
      }
      return new Map([
        [names[0], out.split],
        [names[1], out.operator],
        [names[2], out.terminal],
      ])
    },
    logDensity: (parameters, values) => {
      const tables = tablesOf(parameters)
      const out = new Float64Array(values.get(names[0])!.length / (K * nodes))
      eachChoice(values, out.length, (draw, choice, row, value) => {
        out[draw]! += tables.log(choice, row, value)
      })
      return out
    },
    score: (parameters, values, weights) => {
      const tables = tablesOf(parameters)
      const sums = parameters.map(({ length }) => new Float64Array(length))
      eachChoice(values, weights.length, (draw, choice, row, value) =>
        tables.addScore(sums, choice, row, value, weights[draw]!),
      )
      // Clamped logits have the slope 0.
      return sums.map((sum, index) =>
        sum.map((slope, at) => (Math.abs(parameters[index]![at]!) > settings.logitsClip ? 0 : slope)),
      )
    },
    project: (parameters, { values, weights }, rate) => {
      const tables = tablesOf(parameters)
      const mass = {
        split: new Float64Array(2 * K * innerRows),
        operator: new Float64Array(K * innerRows * operators),
        terminal: new Float64Array(K * rows * terminals),
      }
      const sizes = { split: 2, operator: operators, terminal: terminals }
      const add = (choice: PreOrder.Choice, row: number, value: number, weight: number): void => {
        mass[choice][row * sizes[choice] + value]! += weight
      }
      for (let tree = 0; tree < K; tree++)
        ExpectedVisits.each(
          order,
          (choice, row, value) => Real.exp(tables.log(choice, rowOf(choice, tree, row), value)),
          (choice, row, value, visits) => add(choice, rowOf(choice, tree, row), value, (1 - rate) * visits),
        )
      eachChoice(values, weights.length, (draw, choice, row, value) =>
        add(choice, row, value, rate * weights[draw]!),
      )
      const [split, operator, terminal] = parameters
      return [
        fill(split!.length, (row) => {
          const [zeros, ones] = [mass.split[2 * row]!, mass.split[2 * row + 1]!]
          return zeros + ones === 0 ? split![row]! : clamped(Real.log(ones / zeros), settings.logitsClip)
        }),
        logitsOf(mass.operator, operator!, operators, settings.logitsClip),
        logitsOf(mass.terminal, terminal!, terminals, settings.logitsClip),
      ]
    },
  }
}
