import * as Result from "effect/Result"
import { family, type Family } from "../expr/form/Family.ts"
import * as Term from "../expr/Term.ts"
import { parse } from "../expr/text/parse.ts"
import * as Real from "../numeric/Real.ts"
import { SettingError } from "../errors/Setting.ts"

/** A way to write laws of a form: c0 (1 - exp(-c1 x)) and c0 + c1 exp(-c2 x) are two of one form. */
export interface KnownFormula {
  /** the formula of one of the laws, in infix notation */
  readonly formula: string
  /** the names in the formula that are fitted numbers; the others are columns */
  readonly numbers: ReadonlyArray<string>
  /** the names of the laws that are written so */
  readonly laws: ReadonlyArray<string>
}

/** A form that laws with names have (`Term.family`). */
export interface KnownForm extends Pick<Family, "key" | "symmetries"> {
  /** the number of columns */
  readonly columns: number
  /** those of most fitted numbers first */
  readonly formulas: readonly [KnownFormula, ...ReadonlyArray<KnownFormula>]
}

/** How many laws have a form. */
export const count = ({ formulas }: KnownForm): number =>
  formulas.reduce((sum, { laws }) => sum + laws.length, 0)

/**
 * A prior of the forms of laws by those that are known: a Pitman-Yor process over forms (Pitman and Yor 1997), as in adaptor grammars (Johnson,
 * Griffiths and Goldwater 2007). After N laws of K forms the next law has a form of r laws with probability (r - d) / (N + a), and a new form,
 * from the prior of trees, with probability (a + d K) / (N + a).
 */
export interface KnownForms {
  readonly forms: ReadonlyArray<KnownForm>
  /** d, in [0, 1) */
  readonly discount: number
  /** a, above -d */
  readonly concentration: number
}

/** The settings of a corpus of one's own. */
export interface Settings {
  readonly discount?: number | undefined
  readonly concentration?: number | undefined
  /** whether a name is a number that is fitted, and no column; c, c0, c1, ... if left out */
  readonly isNumber?: ((name: string) => boolean) | undefined
}

/** No form is known: the prior is that of trees alone. */
export const none: KnownForms = { forms: [], discount: 0, concentration: 1 }

const isUsualNumber = (name: string): boolean => /^c\d*$/.test(name)

/**
 * The known forms of a list of laws. *When to use*: where a field has laws of its own, in place of the shipped ones.
 *
 * @throws SettingError when a formula cannot be read
 *
 * @example
 * KnownForms.of([{ name: "Langmuir isotherm", formula: "c0*p/(c1 + p)" }])
 */
export const of = (
  laws: ReadonlyArray<{ readonly name: string; readonly formula: string }>,
  settings: Settings = {},
): KnownForms => {
  const { discount = 0.6, concentration = 10, isNumber = isUsualNumber } = settings
  const forms = new Map<string, Omit<KnownForm, "formulas"> & { readonly ways: Map<string, KnownFormula> }>()
  for (const { name, formula } of laws) {
    const read = parse(formula)
    if (Result.isFailure(read))
      throw new SettingError({ message: `the formula of "${name}" cannot be read: ${read.failure.message}` })
    const term = Term.meaning(read.success)
    const { key, symmetries, columns } = family(term, (one) => !isNumber(one))
    const at = placeOf(key, columns.length)
    const numbers = Term.variables(term).filter(isNumber)
    const known = forms.get(at) ?? { key, symmetries, columns: columns.length, ways: new Map() }
    const way = wayOf(term, columns, numbers)
    const written = known.ways.get(way) ?? { formula, numbers, laws: [] }
    known.ways.set(way, { ...written, laws: [...written.laws, name] })
    forms.set(at, known)
  }
  return {
    forms: Array.from(forms.values(), ({ ways, ...form }) => ({ ...form, formulas: ordered(ways) })),
    discount,
    concentration,
  }
}

/** Equal for formulas of a form that have as many fitted numbers at the same places. */
const wayOf = (term: Term.Term, columns: ReadonlyArray<string>, numbers: ReadonlyArray<string>): string => {
  const placed = Term.substitute(term, (name) =>
    numbers.includes(name) ? anyNumber : Term.variable(`v${columns.indexOf(name)}`),
  )
  return `${numbers.length} ${Term.skeleton(placed)}`
}
/** A number that is no exponent of a normal form. */
const anyNumber = Term.constant(7.25)

const ordered = (ways: ReadonlyMap<string, KnownFormula>): KnownForm["formulas"] => {
  const [first, ...others] = [...ways.values()].sort(
    (one, other) => other.numbers.length - one.numbers.length,
  )
  // A form has the way of its first law at least.
  return [first!, ...others]
}

const placeOf = (key: string, columns: number): string => `${columns} ${key}`

/** The probability that a number which is fitted in a law needs no fit, by chance: that it is 1, or equal to another. */
const exactly = Real.log(1 / 20)
/** The probability that the columns of a table have other units than those of the law, which then has one fitted number more: a factor. */
const otherUnits = 1 / 4

/** The known form of a law, and its prior probability beside that of other forms. */
export interface Found {
  /** the ways to write the form of which the law is one with some numbers; those of as many numbers first */
  readonly formulas: ReadonlyArray<KnownFormula>
  /** natural logarithm */
  readonly logMass: number
}

/**
 * Whether a law is written in one way to write its form, with some numbers.
 *
 * @param inUnits whether with one number more, the unit of the formula
 */
export type IsWritten = (formula: KnownFormula, form: KnownForm, inUnits: boolean) => boolean

/** A prior of forms over a table with a number of columns. */
export interface Among {
  /** the most columns that a known form has */
  readonly widest: number
  /** log of the probability of a form that is not known */
  readonly logNew: number
  /**
   * The known form of a law.
   *
   * @param numbers how many numbers of the law are fitted, coefficients among them: one more than a named law has is its unit, fewer are exact
   *   by chance
   * @param isWritten for laws that the numbers leave possible; true of all if left out
   * @param logExact log of the prior mass of exact numbers other than 1 that stand inside of its terms; 0 if left out
   */
  readonly find: (
    of: Pick<Family, "key" | "columns">,
    numbers: number,
    isWritten?: IsWritten,
    logExact?: number,
  ) => Found | undefined
}

/** The prior of forms over a table of some columns: laws of more columns are impossible, and each choice of columns is as likely. */
export const among = ({ forms, discount, concentration }: KnownForms, features: number): Among => {
  const possible = forms.filter(({ columns }) => columns <= features)
  const laws = possible.reduce((sum, one) => sum + count(one), 0)
  const total = laws + concentration
  const byKey = new Map(possible.map((form) => [placeOf(form.key, form.columns), form]))
  return {
    widest: possible.reduce((most, { columns }) => Math.max(most, columns), 0),
    logNew: Real.log((concentration + discount * possible.length) / total),
    find: ({ key, columns }, numbers, isWritten = () => true, logExact = 0) => {
      const form = byKey.get(placeOf(key, columns.length))
      const more = ({ numbers: own }: KnownFormula): number => numbers - own.length
      const formulas = form?.formulas
        .filter((one) => more(one) <= 1 && isWritten(one, form, more(one) === 1))
        .sort((a, b) => Math.abs(more(a)) - Math.abs(more(b)))
      if (form === undefined || formulas === undefined || formulas.length === 0) return undefined
      const suited = formulas.reduce((sum, one) => {
        const share = more(one) === 1 ? otherUnits : (1 - otherUnits) * Real.exp(-exactly * more(one))
        return sum + one.laws.length * share
      }, 0)
      let choices = 1
      for (let k = 0; k < form.columns; k++) choices *= features - k
      const each = (count(form) - discount) / (count(form) * total)
      return { formulas, logMass: Real.log((suited * each * form.symmetries) / choices) + logExact }
    },
  }
}
