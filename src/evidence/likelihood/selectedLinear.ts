import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import * as Term from "../../expr/Term.ts"
import * as Link from "../../prob/Link.ts"
import type { KnownForms } from "../../prob/KnownForms.ts"
import type { Response } from "../../prob/Observation.ts"
import type { Sym } from "../../prob/Sym.ts"
import type { Forest } from "../../prob/Forest.ts"
import type { Tree } from "../../prob/Tree.ts"
import type { Assessment as FoundAssessment } from "../Assessment.ts"
import type { Columns } from "../columns.ts"
import * as ExactModel from "../exact/ExactModel.ts"
import * as GPrior from "../gPrior.ts"
import * as Law from "../Law.ts"
import type * as Responses from "../response.ts"
import * as Selected from "../selected.ts"
import * as Noise from "../Noise.ts"
import type { Known } from "../noise/Deviations.ts"
import * as WorkingResponse from "../workingResponse.ts"
import * as FoundNoises from "./foundNoise.ts"
import { type HyperG, hyperG } from "./hyperG.ts"
import type { Assessment, Assessor, ExactAssessment, Likelihood } from "./Interface.ts"
import { LikelihoodError } from "./LikelihoodError.ts"
import * as RelaxedGPrior from "./relaxedGPrior.ts"
import * as Real from "../../numeric/Real.ts"

/**
 * g(y) = beta_0 + sum_(j included) beta_j f_j(x) with normal noise, optional inclusion indicators, coefficients integrated
 * out under a mixture of g-priors (Liang et al. 2008), and an optional response link g. A hard ensemble is a link and a set
 * of K distinct trees, or of 0 to K with inclusion indicators.
 */
export interface SelectedLinear extends Likelihood {
  readonly coefficients: HyperG
  /** the resolution of y relative to its standard deviation: fits closer than it count as equally good */
  readonly resolution: number
  /** the latent kind of noise, wrong rows, known errors and weights; undefined for additive noise of one scale */
  readonly noise: Noise.Noise | undefined
}

/** The default resolution of y in standard deviations: about that of float32. */
export const defaultResolution = 1e-7

/**
 * A linear likelihood over at most K trees with normal noise of unknown scale. The included trees, their coefficients and
 * the link of the response are inferred: fit it with `Search.fit` or `Inclusive.fit`. Without indicators, links, known forms and kinds
 * of noise `Infer.fit`, the descent over relaxed trees, takes it as well.
 *
 * *When to use*: for normal noise of unknown scale, without prior means and variances to choose. For counts or classes use
 * `linear`.
 *
 * @param options.coefficients the prior of the coefficients, `hyperG(3)` by default
 * @param options.resolution the resolution of y relative to its standard deviation; in [0, 1), 1e-7 by default
 * @param options.included inclusion indicators, sampled inside the trees' plate; all trees are included by default
 * @param options.noise the kind of noise as a latent choice, wrong rows, known errors and weights (`Noise.latent`); additive noise of
 *   one unknown scale by default
 * @param options.known the prior of known forms, beside that of trees; none by default
 * @param options.link the links of the response, and the latent site outside of any plate whose value selects one
 * @throws LikelihoodError when the resolution is out of range, the indicators do not belong to the trees, or the link's site
 *   does not match the links
 *
 * @example
 * Likelihood.selectedLinear(forest, { included, link: { site: yield* Model.sample("link", Dist.categorical([0.8, 0.2])),
 *   links: [Link.identity, Link.log] } })
 */
export const selectedLinear = (
  forest: Forest,
  options: {
    readonly coefficients?: HyperG | undefined
    readonly resolution?: number | undefined
    readonly included?: Sym<"binary"> | undefined
    readonly link?:
      | {
          readonly site: Sym<"categorical">
          readonly links: ReadonlyArray<Link.Link>
          /** `"response"` by default */
          readonly noise?: Response["noise"]
        }
      | undefined
    readonly noise?: Noise.Noise | undefined
    readonly known?: KnownForms | undefined
  } = {},
): SelectedLinear => {
  const { coefficients = hyperG(), resolution = defaultResolution, included, noise, known } = options
  if (!(resolution >= 0 && resolution < 1))
    throw new LikelihoodError({ message: `resolution must lie in [0, 1), but is ${resolution}` })
  if (included !== undefined) checkIncluded(forest, included)
  if (options.link !== undefined) checkLink(options.link)
  const link = options.link === undefined ? undefined : { noise: "response" as const, ...options.link }
  if (noise !== undefined && link?.noise === "link")
    throw new LikelihoodError({
      message: `the noise is on the scale of the link and has a kind, too; give the kind "log" for noise on logarithms, or leave one of them out`,
    })
  const prior: Prior = { coefficients, resolution, link, noise }
  const plain = noise === undefined || Noise.isPlain(noise)
  return {
    "~likelihood": true,
    name: "selected linear",
    forest,
    coefficients,
    resolution,
    noise,
    included,
    link,
    known,
    ensembles: "sets",
    values: "integrated",
    missing: 3,
    relaxed:
      included === undefined && link === undefined && known === undefined && plain
        ? RelaxedGPrior.make({ a: coefficients.a, resolution }, forest.trees)
        : undefined,
    assessor: (columns, data) =>
      Effect.map(FoundNoises.known(noise, data), (known) => assessor(prior, columns, data, known)),
    check: (data) => Effect.asVoid(FoundNoises.known(noise, data)),
    working: ({ y }) =>
      Effect.sync(() => (link?.links ?? [Link.identity]).map((one) => WorkingResponse.make(one, y))),
    weights: (data) =>
      Effect.map(FoundNoises.known(noise, data), (known) => FoundNoises.weightsOf(known, data)),
    squares:
      link?.noise !== "link" && (noise === undefined || Noise.isPlain(noise))
        ? { a: coefficients.a, resolution }
        : undefined,
    latentNoise: noise !== undefined && !Noise.isPlain(noise),
    approximate: ({ y }, least, weights, each = 1) =>
      Effect.sync(() => {
        const settings = { resolution: Math.max(least, resolution), a: coefficients.a }
        const target =
          weights === undefined
            ? GPrior.target(y, settings)
            : FoundNoises.targetOf(weights, y, each, settings)
        const nothing = GPrior.logNull(target) + each * (weights?.logDensity ?? 0)
        const table = GPrior.table(target)
        return (rank, rss) => nothing + table(rank, rss)
      }),
  }
}

/** The settings of the evidence. */
type Prior = Pick<SelectedLinear, "coefficients" | "resolution" | "link" | "noise">

const assessor = (prior: Prior, columns: Columns, train: Dataset, known: Known): Assessor => {
  const { y, rows } = train
  const { link } = prior
  const selected = Selected.make(prior, columns, y, known)
  const fitted = (response: Responses.Response, trees: ReadonlyArray<Tree>, by: Float64Array): Float64Array =>
    Law.solved(response, Law.linear(columns, trees, by))
  const missed = (law: Float64Array): Float64Array => y.map((value, i) => value - law[i]!)
  const assessed = (
    found: FoundAssessment | undefined,
    trees: ReadonlyArray<Tree>,
  ): Assessment | undefined => {
    if (found === undefined) return undefined
    const { response, posterior, rank, deviance, logEvidence } = found
    return {
      link: response.link,
      others: () => assessed(found.others?.(), trees),
      logEvidence,
      linkEvidence: found.linkEvidence,
      sigma2: posterior.sigma2,
      collapsed: undefined,
      noise: FoundNoises.of(found, train, prior.noise),
      nuisance: {},
      coefficients: found.coefficients,
      bic: (numbers) => deviance + (rank + numbers + 1) * Real.log(rows),
      deviations: (numbers) => {
        const own = FoundNoises.deviations(found, numbers, train)
        return link?.noise === "link" ? own.map((value, i) => value / Math.abs(response.slopes[i]!)) : own
      },
      solved: (z) => Law.solved(response, z),
      expression: ({ write }) => {
        const design = [new Float64Array(rows).fill(1), ...trees.map((tree) => columns.column(tree).values)]
        const part = Law.express(trees, Law.written(response, design, found.coefficients()), write)
        return Term.simplify(Law.solve(response, part))
      },
      residuals: () => missed(fitted(response, trees, found.leastSquares())),
      exact: (constants, { data }, terms, among, before): ExactAssessment | undefined => {
        const leastSquares = found.leastSquares()
        const { extra, noise } = found
        const explanation = noise?.explanation
        const problem = {
          likelihood: prior,
          train,
          data,
          response,
          trees,
          terms,
          leastSquares,
          explanation,
          extra,
          among,
          inner: selected.inner(trees),
          before,
        }
        const exact = ExactModel.make(problem, constants)
        if (exact === undefined) return undefined
        const { selection, deviance } = exact
        return {
          logEvidence: exact.logEvidence,
          logMass: selection.logMass,
          logMassOfValues: selection.logMassOfValues,
          exactInside: selection.inner.filter((one) => one?.state._tag === "Fixed").length,
          logThreshold: selection.logThreshold,
          linkEvidence: () => ExactModel.linkEvidence(problem, constants, exact),
          sigma2: selection.sigma2,
          coefficients: () => exact.coefficients,
          bic: (numbers) => deviance + exact.fitted(numbers) * Real.log(rows),
          states: selection.states,
          slopes: exact.slopes,
          moved: exact.moved,
          selection,
          expression: exact.expression,
          residuals: () => missed(fitted(response, trees, exact.leastSquares)),
        }
      },
    }
  }
  return {
    get dropped() {
      return selected.dropped()
    },
    fitConstants: selected.fitConstants,
    tied: selected.tied,
    assess: (index, trees) => assessed(selected.assess(index, trees), trees),
  }
}

export const checkIncluded = ({ trees, sites }: Forest, included: Sym<"binary">): void => {
  const count = included.shape.reduce((product, length) => product * length, 1)
  const plate = (site: string): string => site.slice(0, Math.max(0, site.lastIndexOf(".")))
  if (count !== trees || plate(included.site) !== plate(sites.split))
    throw new LikelihoodError({
      message:
        `the site "${included.site}" has ${count} indicators, one of "${sites.split}" for each of ${trees} trees is needed; ` +
        `sample it inside the trees' plate`,
    })
}

const checkLink = ({
  site,
  links,
}: {
  readonly site: Sym
  readonly links: ReadonlyArray<Link.Link>
}): void => {
  if (site.size !== links.length)
    throw new LikelihoodError({
      message: `the site "${site.site}" has ${site.size} categories, but there are ${links.length} links; give each link a category`,
    })
  const names = links.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new LikelihoodError({ message: `the link "${twice}" is given twice; remove one` })
  if (site.shape.length > 0)
    throw new LikelihoodError({
      message: `the site "${site.site}" lies inside a plate; the response has one link, declare its site outside`,
    })
}
