import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import { compileColumn } from "../../expr/evaluate.ts"
import * as Term from "../../expr/Term.ts"
import { once } from "../../internal/once.ts"
import { dot } from "../../numeric/orthogonal.ts"
import * as Real from "../../numeric/Real.ts"
import type { Forest } from "../../prob/Forest.ts"
import * as Link from "../../prob/Link.ts"
import type { Sym } from "../../prob/Sym.ts"
import type { Tree } from "../../prob/Tree.ts"
import type { Columns } from "../columns.ts"
import * as Law from "../Law.ts"
import * as ParametricTrees from "../fitted/ParametricTrees.ts"
import * as DensityFit from "../fitted/densityFit.ts"
import * as Rows from "./Rows.ts"
import type { WorkingResponse } from "../workingResponse.ts"
import { bind, type Bound } from "./bound.ts"
import type { Density } from "./Density.ts"
import { type HyperG, hyperG } from "./hyperG.ts"
import type { Assessment, Assessor, Likelihood } from "./Interface.ts"
import { clamped } from "./clamped.ts"
import * as Laplace from "./Laplace.ts"
import { LikelihoodError } from "./LikelihoodError.ts"
import * as Relaxed from "./relaxed.ts"
import { checkIncluded, defaultResolution } from "./selectedLinear.ts"

/**
 * y ~ density(eta), eta = beta_0 + sum_j beta_j f_j(x): any density over the trees of a forest. Coefficients have a mixture
 * of g-priors (Bove and Held 2011; Li and Clyde 2018). They are integrated out together with the nuisance parameters by
 * Laplace's approximation (docs/adr/0015). A hard ensemble is a set of K distinct trees, or of 0 to K with inclusion
 * indicators.
 *
 * *When to use*: for all noise that is not normal with one unknown scale. For that noise `selectedLinear` is exact and faster.
 *
 * @param options.coefficients the prior of the coefficients, `hyperG(3)` by default
 * @param options.included inclusion indicators, sampled inside the trees' plate; all trees are included by default
 * @param options.resolution the resolution of y, as a fraction of the noise of the intercept's fit; in [0, 1), 1e-7 by
 *   default. Used for densities whose scale has no prior
 * @throws LikelihoodError when the resolution is out of range, or the indicators do not belong to the trees
 *
 * @example
 * yield* Model.observe("y", Likelihood.linear(forest, Likelihood.poisson, { included }))
 */
export const linear = (
  forest: Forest,
  density: Density,
  options: {
    readonly coefficients?: HyperG | undefined
    readonly included?: Sym<"binary"> | undefined
    readonly resolution?: number | undefined
  } = {},
): Likelihood => {
  const { coefficients = hyperG(), included, resolution = defaultResolution } = options
  if (!(resolution >= 0 && resolution < 1))
    throw new LikelihoodError({ message: `resolution must lie in [0, 1), but is ${resolution}` })
  if (included !== undefined) checkIncluded(forest, included)
  const bound = (data: Dataset) => bind(density, data, coefficients.a, resolution)
  return {
    "~likelihood": true,
    name: density.name,
    forest,
    ensembles: "sets",
    included,
    link: undefined,
    values: "integrated",
    missing: 3,
    relaxed: included === undefined ? Relaxed.make(bound, forest.trees) : undefined,
    assessor: (columns, data) => Effect.map(bound(data), (problem) => assessor(problem, columns, data)),
    check: (data) => Rows.check(density, data),
    working: (data) => Effect.map(bound(data), (problem) => [working(problem)]),
    weights: () => Effect.succeed(undefined),
    latentNoise: false,
    approximate: ({ rows }) => {
      // Unit information: each coefficient costs half the logarithm of the number of rows.
      const cost = 0.5 * Real.log(rows)
      return Effect.succeed(
        density.scale === undefined
          ? (rank, rss) => -rss / 2 - cost * rank
          : (rank, rss) => -(rows / 2) * Real.log(Math.max(rss, Number.MIN_VALUE)) - cost * rank,
      )
    },
  }
}

/**
 * The working response of a generalised linear model (McCullagh and Nelder 1989, section 2.5), from score and clamped
 * curvature.
 */
const working = ({ rows, prior }: Bound): WorkingResponse => {
  const { nothing } = prior
  const { density } = rows
  const scale = density.nuisance.findIndex(({ name }) => name === density.scale)
  const flat = new Float64Array(rows.rows).fill(nothing.alpha)
  /**
   * Moves a predictor with a lower likelihood than a constant towards the constant: far from the mode the expansion is
   * inaccurate.
   */
  const sound = (eta: Float64Array): Laplace.Mode | undefined => {
    for (let share = 1; share > 1e-3; share /= 2) {
      const mode = Laplace.profile(
        rows,
        eta.map((value) => nothing.alpha + share * (value - nothing.alpha)),
        prior,
      )
      if (mode !== undefined && mode.value >= nothing.value) return mode
    }
    return undefined
  }
  return {
    link: Link.identity,
    fixed: false,
    rough: true,
    most: () => Infinity,
    back: {
      run: (z, value, slope) => {
        value.set(z)
        slope.fill(1)
        return 0
      },
    },
    respond: (eta) => {
      const mode = (eta && sound(eta)) ?? Laplace.profile(rows, flat, prior)
      const at = mode?.eta ?? flat
      const { score, curvature } = mode?.expansion ?? rows.expand(flat, nothing.tau)
      const weights = clamped(curvature)
      // In units of the noise for densities with a scale, so that the scale can be maximised over.
      const unit = scale < 0 ? 1 : Real.exp(mode?.tau[scale] ?? nothing.tau[scale]!)
      return {
        z: at.map((value, i) => value + score[i]! / weights[i]!),
        w: weights.map((weight) => Math.sqrt(weight) * unit),
      }
    },
  }
}

const assessor = (bound: Bound, columns: Columns, train: Dataset): Assessor => {
  const { rows, prior } = bound
  const { density, y } = rows
  const { grammar } = columns
  const numbered = once(() => ParametricTrees.make(columns))
  const designOf = (trees: ReadonlyArray<Tree>): ReadonlyArray<Float64Array> | undefined => {
    const found = trees.map((tree) => columns.column(tree))
    return found.every(({ admissible }) => admissible) ? found.map(({ values }) => values) : undefined
  }
  return {
    dropped: [],
    fitConstants: (_, trees) => {
      if (!ParametricTrees.any(grammar, trees)) return undefined
      return DensityFit.fitConstants(
        numbered()(trees),
        rows,
        prior,
        (terminal) => grammar.terminals[terminal]!.fitted!,
      )
    },
    assess: (_, trees): Assessment | undefined => {
      const design = designOf(trees)
      const found = design && Laplace.evidence(rows, prior, design)
      if (design === undefined || found === undefined) return undefined
      const { logEvidence, coefficients, mode, rank } = found
      const nuisance = rows.named(mode.tau)
      const size = density.scale === undefined ? undefined : nuisance[density.scale]
      const free = rank + 1 + density.nuisance.length
      return {
        link: Link.identity,
        logEvidence,
        linkEvidence: () => logEvidence,
        sigma2: size === undefined ? Number.NaN : size ** 2,
        collapsed: undefined,
        noise: undefined,
        nuisance,
        coefficients: () => coefficients,
        bic: (numbers) => -2 * mode.value + (free + numbers) * Real.log(rows.rows),
        // The information of a row on eta, as one on the mean.
        deviations: () => {
          const slopes = valuesOf(density, Term.derivative(density.mean, "eta"), nuisance)(mode.eta, train)
          const information = clamped(rows.expand(mode.eta, mode.tau).curvature)
          return information.map((value, i) => Math.abs(slopes[i]!) / Math.sqrt(value))
        },
        solved: valuesOf(density, density.mean, nuisance),
        expression: ({ write }) => {
          const lengths = design.map((column) => Math.sqrt(dot(column, column) / column.length))
          const eta = Law.express(trees, Law.legible(coefficients, [1, ...lengths]), write)
          return Term.simplify(
            Term.substitute(density.mean, (name) =>
              name === "eta" ? eta : (nuisance[name] ?? Term.variable(name)),
            ),
          )
        },
        residuals: () => {
          const fitted = valuesOf(density, density.mean, nuisance)(mode.eta, train)
          return y.map((value, i) => value - fitted[i]!)
        },
        exact: undefined,
      }
    },
  }
}

/** A function of eta and the density's columns on the rows of any data: E[y | eta] with the density's mean. */
const valuesOf = (
  density: Density,
  of: Term.Term,
  nuisance: Readonly<Record<string, number>>,
): ((eta: Float64Array, data: Dataset) => Float64Array) => {
  const term = Term.substitute(of, (name) => nuisance[name] ?? Term.variable(name))
  const run = compileColumn(term, ["eta", ...density.columns])
  return (eta, data) => {
    const out = new Float64Array(eta.length)
    const own = density.columns.map(
      (column) => data.columns[data.features.indexOf(column)] ?? new Float64Array(data.rows).fill(NaN),
    )
    run([eta, ...own], out)
    return out
  }
}
