/** What types know of the names of columns and operators in a fit. */
import type { NameIn } from "../expr/Operator.ts"
import type * as Grammar from "../prob/Grammar.ts"
import type { Restriction } from "../prob/Tree.ts"
import type * as LawGrammar from "./LawGrammar.ts"

/** A column, if the table has it; else a text that says it has not, which does not compile. Names that no type knows are looked up in the fit. */
export type Column<F extends string, C extends string> = string extends F | C
  ? C
  : C extends F
    ? C
    : `the table has no column "${C}"`

/** Columns less those that are no features. */
export type Less<F extends string, C extends string> = string extends C ? F : Exclude<F, C>

/** The features of a law: of its grammar where one is given, else those of the table. */
export type Features<F extends string, C extends string, G> =
  string extends Grammar.FeatureName<G> ? Less<F, C> : Grammar.FeatureName<G>

/** The names that restrictions may be about. */
type Names<F extends string, P extends LawGrammar.Operators, G> =
  string extends Grammar.FeatureName<G> ? F | NameIn<P> | LawGrammar.ConstantName : Grammar.Name<G>

/**
 * The options of a fit that name operators and terminals.
 *
 * @typeParam F the columns of the table
 * @typeParam P the operators
 * @typeParam G the grammar, if one is given
 * @typeParam N what restrictions are about
 */
export interface Terms<F extends string, P extends LawGrammar.Operators, G, N extends string> {
  /** names of shipped operators, or your own operators */
  readonly operators?: P | undefined
  /** factors of the prior of every tree, such as `Tree.atMostUses("sin", 1)`; none if left out */
  readonly restrictions?: ReadonlyArray<Restriction<Grammar.Known<Names<F, P, G>, N>>> | undefined
}

/** The options of a fit that name operators and terminals, of a grammar as well. */
export interface OwnTerms<
  F extends string,
  P extends LawGrammar.Operators,
  G,
  N extends string,
> extends Terms<F, P, G, N> {
  /** in place of `operators` and `constants`: over features of the data */
  readonly grammar?: G | undefined
}

/**
 * The options of a fit that name operators, terminals, and columns of the noise.
 *
 * @typeParam E the column of errors
 * @typeParam W the column of weights
 */
export interface Options<
  F extends string,
  E extends string,
  W extends string,
  P extends LawGrammar.Operators,
  G,
  N extends string,
> extends OwnTerms<Less<F, E | W>, P, G, N> {
  /** the column with the standard error of each row, above 0, in units of y; it is no feature */
  readonly error?: Column<F, E> | undefined
  /** the column with the weight of each row, at least 0: the variance of its noise is in inverse proportion to it; it is no feature */
  readonly weights?: Column<F, W> | undefined
}

/** Options less those whose names a fit knows: without these the compiler infers and compares each name once. */
export type Others<O> = Omit<O, "operators" | "restrictions" | "grammar" | "error" | "weights" | "group">
