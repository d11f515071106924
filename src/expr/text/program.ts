import * as Term from "../Term.ts"
import { print, type Dialect } from "./printer.ts"

/** A programming language or a library of one. */
export type Language = Dialect

/** A variable whose name is no identifier, as an entry of a mapping. */
export const lookup = (name: string): string => `data[${JSON.stringify(name)}]`

/** Terms as expressions of a language: protected operations are written out. */
export const programWriter = (language: Language): ((term: Term.Term) => string) => {
  const expand = Term.foldShared(Term.expanding)
  const text = print(language)
  return (term) => text(expand(term))
}
