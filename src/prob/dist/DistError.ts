import * as Schema from "effect/Schema"

/**
 * A parameter that is not allowed: a negative scale, weights that do not sum to 1, NaN.
 *
 * Constructors throw it synchronously. A declaration is a value, so a wrong one is a programmer's error: inside a
 * program that Effect runs it surfaces as a defect, not in the error channel. Use `Effect.try` around a constructor
 * whose parameters come from outside.
 */
export class DistError extends Schema.TaggedError<DistError>()("DistError", {
  distribution: Schema.String,
  parameter: Schema.String,
  /** The offending value, rendered. */
  value: Schema.String,
  /** The accepted values. */
  allowed: Schema.String,
}) {
  override get message(): string {
    return `${this.distribution}: ${this.parameter} must be ${this.allowed}, got ${this.value}`
  }
}

const render = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(render).join(", ")}]` : String(value)

export const reject = (distribution: string, parameter: string, value: unknown, allowed: string): never => {
  throw new DistError({ distribution, parameter, value: render(value), allowed })
}

/** The value, if it is finite. */
export const finite = (distribution: string, parameter: string, value: number): number =>
  Number.isFinite(value) ? value : reject(distribution, parameter, value, "a finite number")

/** The value, if it is in (0, infinity). */
export const positive = (distribution: string, parameter: string, value: number): number =>
  value > 0 && value < Infinity ? value : reject(distribution, parameter, value, "a finite number > 0")

/** The value, if it is in (0, 1). */
export const unit = (distribution: string, parameter: string, value: number): number =>
  value > 0 && value < 1 ? value : reject(distribution, parameter, value, "strictly between 0 and 1")

/** A copy of the vector, if it has elements and each passes the test. */
export const vector = (
  distribution: string,
  parameter: string,
  values: ReadonlyArray<number>,
  allowed: string,
  test: (value: number) => boolean,
): ReadonlyArray<number> =>
  values.length > 0 && values.every(test)
    ? [...values]
    : reject(distribution, parameter, values, `a non-empty vector of ${allowed}`)

/** How far a sum of weights may be from 1: float32 softmax outputs of a few hundred categories pass. */
export const SIMPLEX_TOLERANCE = 1e-6

/** Whether the numbers are weights >= 0 that sum to 1 within the tolerance. */
export const isSimplex = (values: ReadonlyArray<number>): boolean =>
  values.length > 0 &&
  values.every((w) => w >= 0) &&
  Math.abs(values.reduce((total, w) => total + w, 0) - 1) <= SIMPLEX_TOLERANCE

/** The weights divided by their sum, if they are on the simplex. */
export const simplex = (
  distribution: string,
  parameter: string,
  values: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  if (!isSimplex(values)) {
    return reject(
      distribution,
      parameter,
      values,
      "a non-empty vector of numbers >= 0 that sum to 1 within 1e-6",
    )
  }
  const total = values.reduce((sum, w) => sum + w, 0)
  return values.map((w) => w / total)
}
