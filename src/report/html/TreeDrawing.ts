import type { Operator } from "../../expr/Operator.ts"
import * as Result from "effect/Result"
import { numberText } from "../../expr/text/infix.ts"
import { parse } from "../../expr/text/parse.ts"
import * as Term from "../../expr/Term.ts"
import { escape, type Html, markup, shortened } from "./Html.ts"

/** A node of a drawing: what it says, and the nodes below it. */
interface Node {
  readonly label: string
  readonly kind: "operation" | "column" | "number"
  readonly below: ReadonlyArray<Node>
}

const signs: { readonly [operation: string]: string } = {
  add: "+",
  sub: "−",
  mul: "×",
  div: "÷",
  pow: "^",
  neg: "−",
  square: "( )²",
  sqrt: "√",
}

/** Sums of sums and products of products are one node. */
const operands = (operation: string, term: Term.Term): ReadonlyArray<Term.Term> =>
  term._tag === "Binary" && term.operation === operation
    ? Term.children<Term.Term>(term).flatMap((one) => operands(operation, one))
    : [term]

const nodeOf = (term: Term.Term): Node => {
  switch (term._tag) {
    case "Constant":
      return { label: numberText(term.value, 4), kind: "number", below: [] }
    case "Variable":
      return { label: shortened(term.name, 16), kind: "column", below: [] }
    case "Unary":
    case "Binary": {
      const { operation } = term
      const below =
        operation === "add" || operation === "mul"
          ? operands(operation, term)
          : Term.children<Term.Term>(term)
      return { label: signs[operation] ?? operation, kind: "operation", below: below.map(nodeOf) }
    }
    case "Application":
      return {
        label: shortened(term.name, 16),
        kind: "operation",
        below: Term.children<Term.Term>(term).map(nodeOf),
      }
  }
}

interface Placed {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly node: Node
  readonly below: ReadonlyArray<Placed>
}

/** In units of the drawing: of a letter, between neighbours, between rows, of a box. */
const [letter, gap, row, box] = [7.6, 14, 62, 32]

const widthOf = ({ label }: Node): number => Math.max(box + 4, 18 + letter * Array.from(label).length)

const extent = (node: Node): number =>
  Math.max(
    widthOf(node),
    node.below.reduce((sum, one) => sum + extent(one) + gap, -gap),
  )

/** Places a tree from its left end on: a node stands above the middle of those below it. */
const place = (node: Node, left: number, depth: number): Placed => {
  const own = extent(node)
  const inner = node.below.reduce((sum, one) => sum + extent(one) + gap, -gap)
  let at = left + Math.max(0, (own - inner) / 2)
  const below = node.below.map((one) => {
    const placed = place(one, at, depth + 1)
    at += extent(one) + gap
    return placed
  })
  const [first, last] = [below[0], below.at(-1)]
  const x = first === undefined || last === undefined ? left + own / 2 : (first.x + last.x) / 2
  return { x, y: box / 2 + 2 + row * depth, width: widthOf(node), node, below }
}

const depthOf = ({ below }: Node): number => 1 + Math.max(0, ...below.map(depthOf))

const lines = ({ x, y, below }: Placed): string =>
  below
    .map(
      (one) =>
        `<path class="edge" d="M${x.toFixed(1)} ${(y + box / 2).toFixed(1)} C${x.toFixed(1)} ${(y + row / 2).toFixed(1)} ${one.x.toFixed(1)} ${(one.y - row / 2).toFixed(1)} ${one.x.toFixed(1)} ${(one.y - box / 2).toFixed(1)}"/>${lines(one)}`,
    )
    .join("")

const boxes = ({ x, y, width, node, below }: Placed): string =>
  `<g class="${node.kind}"><rect x="${(x - width / 2).toFixed(1)}" y="${(y - box / 2).toFixed(1)}" width="${width.toFixed(1)}" height="${box}" rx="${node.kind === "operation" ? box / 2 : 5}"/><text x="${x.toFixed(1)}" y="${(y + 4.5).toFixed(1)}" text-anchor="middle">${escape(node.label)}</text></g>${below.map(boxes).join("")}`

/**
 * The tree of a formula as SVG, in its own size: operations above their operands. Undefined for operators that are not known here.
 *
 * @param expression in infix
 * @param alternative the same in words
 * @param operators those of the user's own that it may have
 */
export const draw = (
  expression: string,
  alternative: string,
  operators: ReadonlyArray<Operator> = [],
): Html | undefined =>
  Result.match(parse(expression, { operators }), {
    onFailure: () => undefined,
    onSuccess: (term) => {
      const node = nodeOf(term)
      const [width, height] = [extent(node) + 4, row * (depthOf(node) - 1) + box + 4]
      const root = place(node, 2, 0)
      return markup(
        `<svg class="tree" role="img" aria-labelledby="tree-title" width="${width.toFixed(0)}" height="${height}" viewBox="0 0 ${width.toFixed(0)} ${height}" xmlns="http://www.w3.org/2000/svg"><title id="tree-title">${escape(alternative)}</title>${lines(root)}${boxes(root)}</svg>`,
      )
    },
  })
