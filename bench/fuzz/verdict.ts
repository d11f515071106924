/** What has to hold for any text that is given as a formula. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Complaint } from "../../src/cli/Complaint.ts"
import * as Condition from "../../src/cli/rows/Condition.ts"
import * as Derived from "../../src/cli/rows/Derived.ts"
import * as Evaluate from "../../src/expr/evaluate.ts"
import { definition, definitionText } from "../../src/expr/text/definition.ts"
import { infix } from "../../src/expr/text/infix.ts"
import { javascript } from "../../src/expr/text/javascript.ts"
import { latex } from "../../src/expr/text/latex.ts"
import { numpy } from "../../src/expr/text/numpy.ts"
import { parse } from "../../src/expr/text/parse.ts"
import { sympy } from "../../src/expr/text/sympy.ts"
import * as Term from "../../src/expr/Term.ts"
import { calculate, near, valueOf } from "./calculator.ts"

/** What a text has shown. */
export interface Verdict {
  /** the fault as a sentence; undefined where all holds */
  readonly wrong: string | undefined
  /** whether it is a formula */
  readonly read: boolean
  /** words for what the reader met, by which a text is told from others */
  readonly features: ReadonlyArray<string>
}

/** Texts that nest less have all readers' bounds far away. */
const shallow = 900

/** A character as one of few. */
const kindOf = (character: string): string =>
  /[\p{L}_]/u.test(character) ? "a" : /\d/.test(character) ? "1" : character > "~" ? "other" : character

/** Pairs of operations that stand one above the other. */
const pairs = (term: Term.Term): ReadonlyArray<string> => {
  const found = new Set<string>()
  const kind = (node: Term.Term): string => ("operation" in node ? node.operation : node._tag)
  const visit = (node: Term.Term): void => {
    for (const [at, child] of Term.children(node).entries()) {
      found.add(`${kind(node)}.${at}.${kind(child)}`)
      visit(child)
    }
  }
  visit(term)
  return [...found]
}

/** The complaints of readers that are built on that of formulas, or undefined. */
const others = (text: string): string | undefined => {
  const defined = definition(`f(x, y) = ${text}`)
  if (Result.isFailure(defined)) {
    if (
      !/^(an operator|the operator|the formula|there is no|.* is (an operator|a number))/s.test(
        defined.failure.message,
      )
    )
      return `the definition's error is: ${defined.failure.message}`
  } else {
    const again = definition(definitionText(defined.success))
    if (Result.isFailure(again) || !Term.equals(again.success.term, defined.success.term))
      return "the definition does not read back"
  }
  for (const effect of [
    Condition.parse(`x > ${text}`, []),
    Condition.parse(text, []),
    Derived.parse(`z=${text}`, []),
  ]) {
    const found = Effect.runSync(Effect.result(Effect.asVoid<unknown, Complaint, never>(effect)))
    if (Result.isFailure(found) && !/^--(where|column) "[^]*": expected /.test(found.failure.message))
      return `the complaint is: ${found.failure.message}`
  }
  return undefined
}

/** Compares the value of a term with that of the other reader. */
const compared = (term: Term.Term, text: string): string | undefined => {
  const reading = calculate(text)
  if (reading._tag === "refused") return "it is read, and the other reader refuses it"
  if (reading._tag === "unclear") return undefined
  const value = Term.interpret(Term.arithmetic)(term)(valueOf)
  if (!near(value, reading.value))
    return `its value is ${value}, and that of the other reader ${reading.value}`
  const names = Term.variables(term)
  const compiled = Evaluate.scalarFunction(term, names)(names.map(valueOf))
  return near(compiled, value) ? undefined : `its value is ${value}, and ${compiled} when it is compiled`
}

const formula = (text: string): Verdict => {
  const found = parse(text)
  const deep = (text.match(/[-+*/^(]/g)?.length ?? 0) >= shallow
  if (Result.isFailure(found)) {
    const { message, position, expected } = found.failure
    const misplaced =
      position < 0 || position > text.length || !/^expected .+ at column \d+: "/s.test(message)
    const disagrees = !deep && calculate(text)._tag !== "refused"
    return {
      read: false,
      features: [
        `${expected.replaceAll(/"[^"]*"/g, "NAME")} at ${Array.from(text.slice(position, position + 2), kindOf).join("")}`,
      ],
      wrong: misplaced
        ? `its error is: ${message}`
        : disagrees
          ? `it is refused (${message}), and the other reader computes it`
          : undefined,
    }
  }
  const term = found.success
  const again = parse(infix(term))
  const same = Result.isSuccess(again) && Term.equals(again.success, term)
  for (const write of [latex, sympy, numpy, javascript]) write(term)
  return {
    read: true,
    features: pairs(term),
    wrong: same
      ? deep
        ? undefined
        : compared(term, text)
      : `it is written as ${infix(term)}, which is another`,
  }
}

/** Looks at a text in all ways. Nothing that it does throws. */
export const of = (text: string): Verdict => {
  try {
    const verdict = formula(text)
    return { ...verdict, wrong: verdict.wrong ?? others(text) }
  } catch (error) {
    // Any error that is thrown is a fault of the reader.
    return {
      read: false,
      features: [],
      wrong: `it throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    }
  }
}
