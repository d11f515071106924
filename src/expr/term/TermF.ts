import type { BinaryPrimitive, UnaryPrimitive } from "../../numeric/Algebra.ts"

/**
 * Unary operations of a term: the primitives, and protected variants with fixed constants, which are finite everywhere:
 * `psqrt` sqrt(|a| + 1e-12), `plog` log(max(|a|, 1e-6)), `pexp` exp(clip(a, -20, 20)), `pinv` 1 / guard(a).
 */
export type UnaryOperation = UnaryPrimitive | "psqrt" | "plog" | "pexp" | "pinv"

/** Binary operations of a term: the primitives, and `pdiv` a / guard(b), finite wherever a and b are. */
export type BinaryOperation = BinaryPrimitive | "pdiv"

/** A number that is part of the term. Always finite when built by `Term.constant`. */
export interface Constant {
  readonly _tag: "Constant"
  readonly value: number
}

/** A named input. `V` is the union of the names it may have. */
export interface Variable<V extends string = string> {
  readonly _tag: "Variable"
  readonly name: V
}

export interface Unary<A> {
  readonly _tag: "Unary"
  readonly operation: UnaryOperation
  readonly argument: A
}

export interface Binary<A> {
  readonly _tag: "Binary"
  readonly operation: BinaryOperation
  readonly left: A
  readonly right: A
}

/**
 * An operator of a user applied to operands: evaluation, derivatives and engines see its meaning, texts its name. The names
 * of the arguments are bound by `meaning`, and are no variables of the term.
 */
export interface Application<A> {
  readonly _tag: "Application"
  readonly name: string
  /** over x, or x and y: one variable for each operand */
  readonly meaning: Term<"x" | "y">
  /** one or two */
  readonly operands: ReadonlyArray<A>
}

/**
 * One layer of a term: the pattern functor whose fixed point is `Term`. An interpreter is an algebra
 * `(layer: TermF<B>) => B`, run by `fold`.
 */
export type TermF<A, V extends string = string> =
  Constant | Variable<V> | Unary<A> | Binary<A> | Application<A>

/**
 * A scalar expression over the variables `V`: plain immutable data, compared by structure.
 * Covariant in `V`: a `Term<"x">` is a `Term<"x" | "y">` and a `Term`.
 */
export type Term<V extends string = string> =
  Constant | Variable<V> | Unary<Term<V>> | Binary<Term<V>> | Application<Term<V>>

/** The variable names of a term type: `VariablesOf<Term<"x" | "y">>` is `"x" | "y"`; a number has none. */
export type VariablesOf<T> =
  T extends Variable<infer V>
    ? V
    : T extends Unary<infer A> | Binary<infer A> | Application<infer A>
      ? Extract<A, Variable>["name"]
      : never

/** Applies `f` to the holes of one layer, left to right. */
export const mapLayer =
  <A, B>(f: (child: A) => B) =>
  <V extends string>(layer: TermF<A, V>): TermF<B, V> => {
    switch (layer._tag) {
      case "Constant":
      case "Variable":
        return layer
      case "Unary":
        return { _tag: "Unary", operation: layer.operation, argument: f(layer.argument) }
      case "Binary":
        return { _tag: "Binary", operation: layer.operation, left: f(layer.left), right: f(layer.right) }
      case "Application":
        return { ...layer, operands: layer.operands.map(f) }
    }
  }

/** The holes of one layer, left to right: none, one or two. */
export const children = <A>(layer: TermF<A>): ReadonlyArray<A> => {
  switch (layer._tag) {
    case "Constant":
    case "Variable":
      return []
    case "Unary":
      return [layer.argument]
    case "Binary":
      return [layer.left, layer.right]
    case "Application":
      return layer.operands
  }
}

/**
 * Catamorphism: replaces every node by the result of `algebra` for the node and its children's results. Recursive: good for
 * terms some thousands of nodes deep, far beyond any expression that a grammar or a person writes.
 *
 * @example
 * const leaves = fold<number>((layer) => Math.max(1, children(layer).reduce((sum, n) => sum + n, 0)))
 */
export const fold = <B, V extends string = string>(
  algebra: (layer: TermF<B, V>) => B,
): ((term: Term<V>) => B) => {
  const go = (term: Term<V>): B => algebra(layer(term))
  const layer = mapLayer(go)
  return go
}

/**
 * The same for many terms that share nodes as objects: one function that folds each node once, and keeps the result
 * as long as the node exists. For algebras that are functions of the layer alone.
 */
export const foldShared = <B, V extends string = string>(
  algebra: (layer: TermF<B, V>) => B,
): ((term: Term<V>) => B) => {
  const known = new WeakMap<Term<V>, { readonly value: B }>()
  const go = (term: Term<V>): B => {
    if (term._tag === "Constant" || term._tag === "Variable") return algebra(term)
    const found = known.get(term)
    if (found !== undefined) return found.value
    const value = algebra(layer(term))
    known.set(term, { value })
    return value
  }
  const layer = mapLayer(go)
  return go
}
