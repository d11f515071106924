import type { Archived } from "../../infer/Archive.ts"
import type { Grammar } from "../../prob/Grammar.ts"
import * as Form from "../Form.ts"
import * as Tree from "../../prob/Tree.ts"

/** A form of laws over groups: a link and trees, whose fitted constants have initial values. */
export interface GroupForm {
  readonly link: number
  /** in the order of their keys without values */
  readonly trees: ReadonlyArray<Tree.Tree>
  /** equal for forms that differ in the values of constants only */
  readonly key: string
  /** the group whose values they are, in a list with those of all groups */
  readonly group?: number
}

/** A text of the pattern of equal values among the leaves of trees. */
const partition = (trees: ReadonlyArray<Tree.Tree>): string => {
  const known = new Map<number, number>()
  const visit = (tree: Tree.Tree): string => {
    if (tree._tag === "Branch") return tree.children.map(visit).join("")
    if (tree.value === undefined) return ""
    if (!known.has(tree.value)) known.set(tree.value, known.size)
    return `${known.get(tree.value)}.`
  }
  return trees.map(visit).join("")
}

export const make = (grammar: Grammar, link: number, trees: ReadonlyArray<Tree.Tree>): GroupForm => {
  const sorted = trees
    .map((tree) => ({ tree, key: Form.of(grammar, Tree.withoutValues(tree)).key }))
    .toSorted(Form.byKey)
  const own = sorted.map(({ tree }) => tree)
  return { link, trees: own, key: `${link} ${sorted.map(({ key }) => key).join(" ")} ${partition(own)}` }
}

/** The forms of archives, each once, with their values in each archive; those that rank first in an archive come first. */
export const collect = (
  grammar: Grammar,
  archives: ReadonlyArray<ReadonlyArray<Pick<Archived, "link" | "trees">>>,
): ReadonlyArray<ReadonlyArray<GroupForm>> => {
  const found = new Map<string, Array<GroupForm>>()
  const longest = archives.reduce((most, { length }) => Math.max(most, length), 0)
  for (let place = 0; place < longest; place++)
    for (const ensembles of archives) {
      const one = ensembles[place]
      if (one === undefined) continue
      const form = make(grammar, one.link, one.trees)
      const known = found.get(form.key)
      if (known === undefined) found.set(form.key, [form])
      else known.push(form)
    }
  return [...found.values()]
}
