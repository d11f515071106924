import { pow } from "../numeric/Power.ts"
/**
 * A number as a function of the optimisation step, counted from 1: a temperature, a weight, a learning rate. *When to
 * use*: `linear` for the paper's temperature, `exponential` for a learning rate over orders of magnitude, `warmUp` for
 * the weight of the divergence.
 */
export type Schedule = (step: number) => number

/**
 * The same value at every step.
 *
 * *When to use*: to compare with a fit that anneals, or where a fit goes on from one that has annealed already.
 */
export const constant =
  (value: number): Schedule =>
  () =>
    value

/**
 * From `start` to `end` along a line over `steps` steps, constant from then on: start + (end - start) min(t / T, 1)
 * (the annealing of the paper, Algorithm "VaSST").
 *
 * *When to use*: for values that stay within one order of magnitude, as the temperature of the paper.
 */
export const linear =
  (start: number, end: number, steps: number): Schedule =>
  (step) =>
    steps <= 0 ? end : start + (end - start) * Math.min(step / steps, 1)

/**
 * From `start` to `end` by a constant factor over `steps` steps, constant from then on. Both must be positive.
 *
 * *When to use*: for values that fall by more than a factor of ten, as a learning rate: a line would leave the small values to the last
 * steps.
 */
export const exponential =
  (start: number, end: number, steps: number): Schedule =>
  (step) =>
    steps <= 0 ? end : start * pow(end / start, Math.min(step / steps, 1))

/**
 * From 0 to 1 over `steps` steps, 1 from then on.
 *
 * *When to use*: for the weight of the divergence, where the posterior collapses onto the prior before the likelihood has shaped it.
 */
export const warmUp = (steps: number): Schedule => linear(0, 1, steps)
