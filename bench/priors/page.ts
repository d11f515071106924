import { table } from "../harness/markdown.ts"
import { benchmarks, formOf, laws } from "./corpus.ts"
import { known } from "./known.ts"
import type { Forms } from "../../src/models/Forms.ts"
import * as KnownForms from "../../src/prob/KnownForms.ts"
import { alike } from "../../src/prob/dist/Concentrations.ts"
import { columnsOf, constantsOf } from "./constants.ts"
import {
  deepest,
  type Fitted,
  forms as formsOf,
  type Kinds,
  mostTerms,
  operatorsOf,
  terminalsOf,
} from "./fit.ts"
import type { Amount } from "./sum.ts"
import type * as Nesting from "../../src/prob/tree/Nesting.ts"
import type { HeldOut } from "./heldOut.ts"
import * as Trees from "./tree.ts"

/** How often each item occurs, most frequent first. */
export const frequencies = (items: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, 1 + (counts.get(item) ?? 0))
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`
const sum = (values: ReadonlyArray<number>): number => values.reduce((all, value) => all + value, 0)

/** The size of an exact coefficient as a class: 1, a small whole number, a simple fraction, with pi, other. */
export const classOf = (value: Amount): string => {
  if (value === "fitted") return "fitted"
  const size = Math.abs(value)
  const isNear = (x: number): boolean => Math.abs(x - Math.round(x)) < 1e-9 * Math.max(1, x)
  if (size === 1) return "1"
  if ([2, 1 / 2].some((one) => Math.abs(size - one) < 1e-12)) return "2, 1/2"
  for (let q = 1; q <= 9; q++) if (isNear(size * q) && size * q * q <= 20) return "p/q with p q at most 20"
  for (const unit of [Math.PI, 1 / Math.PI, Math.PI ** 2, Math.PI ** -2])
    for (let q = 1; q <= 16; q++) if (isNear((size / unit) * q)) return "with pi"
  return "other"
}

const operatorsTable = ({ prior, represented }: Fitted, defaults: Forms): string => {
  const uses = frequencies(
    represented.flatMap((one) =>
      [...operatorsOf(one)].flatMap(([name, count]) => Array.from({ length: count }, () => name)),
    ),
  )
  const all = sum(uses.map(([, count]) => count))
  return table(
    ["operator", "uses", "share", "laws", "concentration", "default"],
    uses.map(([name, count]) => [
      name,
      String(count),
      percent(count, all),
      String(represented.filter((one) => operatorsOf(one).has(name)).length),
      (prior.operators.get(name) ?? 0).toFixed(2),
      String(defaults.operators[name]),
    ]),
  )
}

const places = (uses: Nesting.Uses): string =>
  table(
    ["place", "operators and leaves"],
    Object.entries(uses).map(([place, counts]) => [
      place,
      Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(", "),
    ]),
  )

/** The page of the corpus' statistics, in Markdown. */
export const page = (fitted: Kinds<Fitted>, heldOut: HeldOut): string => {
  const { prior, represented } = fitted.laws
  const { laws: defaults, curves } = formsOf(fitted)
  const { forms, discount, concentration } = known(laws)
  const others = new Set(
    Object.values(benchmarks).flatMap((all) => all.map((formula) => formOf({ formula }).key)),
  )
  const shared = laws.filter((law) => others.has(formOf(law).key)).length
  const nodes = represented.flatMap(({ trees }) => trees.flatMap((tree) => Trees.nodes(tree)))
  const leaves = represented.map(terminalsOf)
  const named = (name: string): number => sum(leaves.map((one) => one.named.get(name) ?? 0))
  const features = sum(leaves.flatMap((one) => one.alike ?? []))
  const roles = frequencies(
    nodes.flatMap(({ tree }) =>
      tree._tag === "Leaf" && typeof tree.terminal !== "string" && tree.terminal._tag === "Fitted"
        ? [tree.terminal.place]
        : [],
    ),
  )
  const constants = constantsOf(represented)
  const coefficients = represented.flatMap((one) => one.coefficients)
  const intercepts = represented.map(({ intercept }) => (intercept === 0 ? "none" : classOf(intercept)))
  const depths = represented.map(({ trees }) =>
    Math.max(...trees.flatMap((tree) => Trees.nodes(tree).map(({ depth }) => depth))),
  )
  const sizes = represented.map(({ trees }) => sum(trees.map((tree) => Trees.nodes(tree).length)))
  const sorted = sizes.toSorted((a, b) => a - b)
  const shares = (items: ReadonlyArray<string>, head: string): string =>
    table(
      [head, "number", "share"],
      frequencies(items).map(([name, count]) => [name, String(count), percent(count, items.length)]),
    )
  return [
    "# The prior over forms",
    `What ${laws.length} named laws of science ([laws.json](../../bench/priors/laws.json), with sources) look like in the model of \`Law\`, and the defaults that follow. Written by \`node bench/priors/run.ts\`; [decision 24](../adr/0024-the-prior-over-forms-is-that-of-named-laws.md) has the reasons. Each form is counted once, and represented by the link, the terms and the trees of highest posterior probability; ${represented.length} forms have at most ${mostTerms} terms and depth ${deepest}.`,
    `A form has ${sorted[Math.floor(sorted.length / 2)]} nodes in the median, nine in ten have at most ${sorted[Math.floor(0.9 * sorted.length)]}.`,
    "## Operators",
    operatorsTable(fitted.laws, defaults),
    "## What stands where",
    `The uses of operators and kinds of leaves at each place ([decision 41](../adr/0041-laws-have-a-prior-of-what-stands-below-what.md)). The mean log prior of a law under a prior fitted on nine tenths of the corpus without it is ${heldOut.weightsAlone.toFixed(1)} nats with weights alone, and ${heldOut.nested.toFixed(1)} with these counts.`,
    places(defaults.uses),
    "## Known forms",
    `The laws have ${forms.length} forms, whatever the names of columns and the values of numbers; ${forms.filter((form) => KnownForms.count(form) === 1).length} forms have one law. Known forms have a mass of their own ([decision 58](../adr/0058-forms-of-named-laws-have-a-mass-of-their-own.md)): a Pitman-Yor process with discount ${discount} and concentration ${concentration}, under which held-out laws have their highest likelihood. The mean log prior of a held-out law is ${heldOut.known.toFixed(1)} nats with them. ${shared} of the laws have a form that a benchmark has; none is the law of a benchmark itself ([those left out](../../bench/priors/leftOut.json)). The forms of at least five laws:`,
    table(
      ["form", "laws", "such as"],
      forms
        .filter((form) => KnownForms.count(form) >= 5)
        .toSorted((a, b) => KnownForms.count(b) - KnownForms.count(a))
        .map((form) => {
          const [shown, ...others] = form.formulas.toSorted((a, b) => b.laws.length - a.laws.length)
          const names = [shown!, ...others].flatMap(({ laws }) => laws)
          return [`\`${shown!.formula}\``, String(KnownForms.count(form)), names.slice(0, 3).join("; ")]
        }),
    ),
    "## Leaves",
    table(
      ["leaf", "uses", "concentration, a feature having 2", "default"],
      [
        ["feature", String(features), "2", "2"],
        ...(["1", "2", "pi", "fitted"] as const).map((name) => [
          name,
          String(named(name)),
          ((2 * (prior.terminals.get(name) ?? 0)) / (prior.terminals.get(alike) ?? 1)).toFixed(3),
          String(defaults.terminals[name]),
        ]),
      ],
    ),
    `Fitted numbers inside of terms: ${roles.map(([place, count]) => `${count} as ${place}`).join(", ")}. ${represented.filter((one) => terminalsOf(one).named.has("fitted")).length} laws have such a number.`,
    "## Shape",
    table(
      ["depth", "nodes", "with an operator", "default"],
      prior.splits.map((p, at) => [
        String(at),
        String(nodes.filter(({ depth }) => depth === at).length),
        p.toFixed(3),
        String(defaults.split[at]),
      ]),
    ),
    shares(
      depths.map((depth) => `depth ${depth}`),
      "deepest tree",
    ),
    shares(
      represented.map(({ trees }) => `${trees.length}`),
      "terms",
    ),
    "## Links",
    table(
      ["link", "laws", "default"],
      [...prior.links.keys()].map((name) => [
        name,
        String(represented.filter(({ link }) => link === name).length),
        String(defaults.links[name]),
      ]),
    ),
    "## Curves",
    `Forms of one column, which tables of one column have ([decision 59](../adr/0059-curves-have-a-prior-of-their-own.md)): ${fitted.curves.represented.length} forms. The mean log prior of a held-out law is ${heldOut.curves.toFixed(1)} nats with a prior of their own for these, where it is ${heldOut.nested.toFixed(1)} without.`,
    operatorsTable(fitted.curves, curves),
    table(
      ["leaf", "default of laws", "default of curves"],
      ["1", "2", "pi", "fitted"].map((name) => [
        name,
        String(defaults.terminals[name]),
        String(curves.terminals[name]),
      ]),
    ),
    table(
      ["link", "curves", "default of laws", "default of curves"],
      Object.keys(defaults.links).map((name) => [
        name,
        String(fitted.curves.represented.filter(({ link }) => link === name).length),
        String(defaults.links[name]),
        String(curves.links[name]),
      ]),
    ),
    places(curves.uses),
    "## Numbers before terms",
    "By the number of columns that a law has ([decision 59](../adr/0059-curves-have-a-prior-of-their-own.md)); the defaults of `Constants` are the shares with one imaginary case of either kind.",
    table(
      ["columns", "forms", "exact coefficients", "intercepts of 0", "factors of 1 of exponentials"],
      constants.exact.map((exact, k) => [
        k + 1 === constants.exact.length ? `${k + 1} or more` : String(k + 1),
        String(represented.filter((one) => columnsOf(one) === k + 1).length),
        String(exact),
        String(constants.zero[k]),
        String(constants.factorless[k]),
      ]),
    ),
    shares(coefficients.map(classOf), "coefficient"),
    shares(intercepts, "intercept"),
    "",
  ].join("\n\n")
}
