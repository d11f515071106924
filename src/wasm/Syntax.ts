import type { Load, Operation, Store, ValueType } from "./Opcode.ts"

// The syntax of code: expressions and functions contain each other.

/**
 * A typed expression of WebAssembly: an immutable graph in which parts may be shared freely. `Emit` computes equal
 * parts once, whether they are the same object or only look alike.
 */
export type Expr<T extends ValueType = ValueType> = Node & { readonly type: T }

type Node =
  | {
      readonly _tag: "Apply"
      readonly operation: Operation
      readonly args: ReadonlyArray<Expr>
    }
  | { readonly _tag: "Const"; readonly type: ValueType; readonly bytes: ReadonlyArray<number> }
  | { readonly _tag: "Get"; readonly local: Local }
  | {
      readonly _tag: "Load"
      readonly operation: Load
      readonly address: Expr<"i32">
      readonly offset: number
    }
  /** Extraction of a lane, or a shuffle: an operation with immediate bytes. */
  | {
      readonly _tag: "Immediate"
      readonly code: ReadonlyArray<number>
      readonly args: ReadonlyArray<Expr>
    }
  /** A pure function's result. */
  | { readonly _tag: "Result"; readonly func: Func; readonly args: ReadonlyArray<Expr> }
  | {
      readonly _tag: "Unless"
      readonly value: Expr
      readonly condition: Expr<"i32">
      readonly instead: Expr
    }

/** A variable of a function; its name only serves readers. */
export interface Local<T extends ValueType = ValueType> {
  readonly type: T
  readonly name: string
}

/** A function: of the module, or of the host. */
export type Func<T extends ValueType | undefined = ValueType | undefined> = Defined<T> | Host<T>

export interface Defined<T extends ValueType | undefined = ValueType | undefined> {
  readonly _tag: "Defined"
  readonly name: string
  readonly params: ReadonlyArray<Local>
  readonly result: T
  readonly body: ReadonlyArray<Statement>
  /** the returned expression, evaluated after the body; undefined if `result` is */
  readonly value: Expr | undefined
}

/** A function that the host provides under `name`. */
export interface Host<T extends ValueType | undefined = ValueType | undefined> {
  readonly _tag: "Host"
  readonly name: string
  readonly params: ReadonlyArray<Local>
  readonly result: T
}

export type Statement =
  | { readonly _tag: "Set"; readonly local: Local; readonly value: Expr }
  | {
      readonly _tag: "Store"
      readonly operation: Store
      readonly address: Expr<"i32">
      readonly offset: number
      readonly value: Expr
    }
  | { readonly _tag: "Call"; readonly func: Func; readonly args: ReadonlyArray<Expr> }
  /** the body, and once more as long as `again` is not 0 afterwards */
  | { readonly _tag: "Repeat"; readonly body: ReadonlyArray<Statement>; readonly again: Expr<"i32"> }
  | {
      readonly _tag: "If"
      readonly condition: Expr<"i32">
      readonly body: ReadonlyArray<Statement>
      readonly otherwise: ReadonlyArray<Statement>
    }
  /** the case of an index below the number of cases; nothing for other indices */
  | {
      readonly _tag: "Switch"
      readonly index: Expr<"i32">
      readonly cases: ReadonlyArray<ReadonlyArray<Statement>>
    }
