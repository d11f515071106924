import * as Result from "effect/Result"
import { family, type Family } from "../expr/form/Family.ts"
import * as Term from "../expr/Term.ts"
import { parse } from "../expr/text/parse.ts"
import * as Real from "../numeric/Real.ts"
import { SettingError } from "../errors/Setting.ts"

/** A law with a name, as a form. */
export interface NamedLaw {
  readonly name: string
  /** how many numbers of it are fitted */
  readonly numbers: number
}

/** A form that laws with names have (`Term.family`). */
export interface KnownForm extends Pick<Family, "key" | "symmetries"> {
  /** the number of columns */
  readonly columns: number
  /** the formula of one of the laws, in infix notation */
  readonly formula: string
  /** the names in the formula that are fitted numbers; the others are columns */
  readonly numbers: ReadonlyArray<string>
  readonly laws: ReadonlyArray<NamedLaw>
}

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
  const forms = new Map<string, KnownForm>()
  for (const { name, formula } of laws) {
    const read = parse(formula)
    if (Result.isFailure(read))
      throw new SettingError({ message: `the formula of "${name}" cannot be read: ${read.failure.message}` })
    const term = Term.meaning(read.success)
    const { key, symmetries, columns } = family(term, (one) => !isNumber(one))
    const at = placeOf(key, columns.length)
    const numbers = Term.variables(term).filter(isNumber)
    const law: NamedLaw = { name, numbers: numbers.length }
    const known = forms.get(at)
    // Of formulas of one form that of the most fitted numbers has all of them.
    const shown = known !== undefined && known.numbers.length >= numbers.length ? known : { formula, numbers }
    forms.set(at, {
      key,
      symmetries,
      columns: columns.length,
      formula: shown.formula,
      numbers: shown.numbers,
      laws: [...(known?.laws ?? []), law],
    })
  }
  return { forms: [...forms.values()], discount, concentration }
}

const placeOf = (key: string, columns: number): string => `${columns} ${key}`

/** The probability that a number which is fitted in a law needs no fit, by chance: that it is 1, or equal to another. */
const exactly = Real.log(1 / 20)
/** The probability that the columns of a table have other units than those of the law, which then has one fitted number more: a factor. */
const otherUnits = 1 / 4

/** The known form of a law, and its prior probability beside that of other forms. */
export interface Found {
  readonly form: KnownForm
  /** natural logarithm */
  readonly logMass: number
}

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
   * @param logExact log of the prior mass of exact numbers other than 1 that stand inside of its terms; 0 if left out
   */
  readonly find: (
    of: Pick<Family, "key" | "columns">,
    numbers: number,
    logExact?: number,
  ) => Found | undefined
}

/** The prior of forms over a table of some columns: laws of more columns are impossible, and each choice of columns is as likely. */
export const among = ({ forms, discount, concentration }: KnownForms, features: number): Among => {
  const possible = forms.filter(({ columns }) => columns <= features)
  const laws = possible.reduce((sum, one) => sum + one.laws.length, 0)
  const total = laws + concentration
  const byKey = new Map(possible.map((form) => [placeOf(form.key, form.columns), form]))
  return {
    widest: possible.reduce((most, { columns }) => Math.max(most, columns), 0),
    logNew: Real.log((concentration + discount * possible.length) / total),
    find: ({ key, columns }, numbers, logExact = 0) => {
      const form = byKey.get(placeOf(key, columns.length))
      if (form === undefined) return undefined
      const suited = form.laws
        .filter((law) => numbers <= law.numbers + 1)
        .reduce(
          (sum, law) =>
            sum +
            (numbers > law.numbers
              ? otherUnits
              : (1 - otherUnits) * Real.exp(exactly * (law.numbers - numbers))),
          0,
        )
      if (suited === 0) return undefined
      let choices = 1
      for (let k = 0; k < form.columns; k++) choices *= features - k
      const each = (form.laws.length - discount) / (form.laws.length * total)
      return { form, logMass: Real.log((suited * each * form.symmetries) / choices) + logExact }
    },
  }
}
