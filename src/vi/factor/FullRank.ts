import type { Algebra } from "../../numeric/Algebra.ts"
import { exp } from "../../numeric/Elementary.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import * as Normal from "../../prob/dist/Normal.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { divergence, drawOf, logPrior, typicalPriors } from "./divergence.ts"
import { normalStart, scattered, type Start } from "./Initial.ts"
import * as MultivariateNormal from "./MultivariateNormal.ts"
import { centred, refuseBounds } from "./typical.ts"

const name = "MultivariateNormal(loc, log scale, triangle)"

/** Shapes of the factor of a site with n elements. The noise has the elements on its last axis, for one product. */
const layout = ({ shape }: FactorSite<"real">) => {
  const length = product(shape)
  const matrix = [...shape, length]
  const below = (entry: (row: number, column: number) => boolean): ReadonlyArray<number> =>
    Array.from({ length: length * length }, (_, i) => (entry(Math.floor(i / length), i % length) ? 1 : 0))
  return {
    shape,
    length,
    matrix,
    noise: [...shape.map(() => 1), length],
    unit: below((row, column) => row === column),
    lower: below((row, column) => column < row),
  }
}

/**
 * q(x) = N(loc, L L') of all elements of a site together: the full-rank Gaussian (Kucukelbir et al. 2017, section 2.4).
 * L = D (I + T) is the Cholesky factor, D = diag(exp(logScale)) and T strictly lower triangular:
 *
 *     x_i = loc_i + exp(logScale_i) (z_i + sum_(j < i) T_ij z_j),   z ~ N(0, I)
 *
 * so that T has no unit and the entropy is the sum of the log scales and a constant. The slot of T is `[...shape, n]` for
 * n elements; its entries on and above the diagonal are not read. Starts as `normal` does, with T = 0.
 *
 * @throws CompileError for a prior that is 0 on a part of the real line
 */
export const fullRank = (site: FactorSite<"real">, start?: Start): Factor<"real"> => {
  refuseBounds(site, name)
  const { shape, length, matrix, noise, unit, lower } = layout(site)
  const initial = normalStart(typicalPriors(site).map(centred), length, start, (x) => x)
  /** I + T, [...shape, n] */
  const rows = <T>(A: Algebra<T>, triangle: T): T =>
    A.binary.add(A.array(unit, matrix), A.binary.mul(A.array(lower, matrix), triangle))
  const moments = <T>(A: Algebra<T>, [loc, logScale, triangle]: ReadonlyArray<T>) => {
    // The factor has these three parameters. `!` does not apply: `T` may include undefined.
    const mean = loc as T
    // As above.
    const sd = A.unary.exp(logScale as T)
    // As above.
    const spread = A.sumLast(A.unary.square(rows(A, triangle as T)))
    return {
      mean,
      square: A.binary.add(A.unary.square(mean), A.binary.mul(A.unary.square(sd), spread)),
    }
  }
  return {
    name,
    support: "real",
    parameters: [
      { name: "loc", shape, initialise: initial.loc },
      { name: "logScale", shape, initialise: initial.logScale },
      { name: "triangle", shape: matrix, initialise: scattered([0], length * length, 0) },
    ],
    noise: [{ kind: "normal", shape: noise }],
    draw: (A, [loc, logScale, triangle], [z]) =>
      Normal.draw(A)(A.sumLast(A.binary.mul(rows(A, triangle!), z!)), {
        mean: loc!,
        sd: A.unary.exp(logScale!),
      }),
    moments,
    // Cross entropies with priors of single elements need moments of single elements; entropies add up to the joint one.
    divergence: (A, constant, parameters, parent, draws) => {
      const own = moments(A, parameters)
      // As in `moments`.
      const entropy = Normal.entropy(A)({ mean: own.mean, sd: A.unary.exp(parameters[1] as typeof own.mean) })
      return divergence<typeof entropy>(site, { A, constant, parent, draws }, { moments: own, entropy })
    },
    drawnDivergence: (A, constant, [, logScale], [z], parent, draws) => {
      const { add, mul, sub } = A.binary
      // The log density of a draw by its noise, -(z_i^2 + log 2 pi) / 2 - logScale_i for element i.
      const own = A.sumLast(mul(A.array(unit, matrix), z!))
      const half = mul(A.literal(-0.5), add(A.unary.square(own), A.literal(Real.log(2 * Math.PI))))
      return sub(sub(half, logScale!), logPrior(site, { A, constant, parent, draws }, drawOf(site, draws)))
    },
    sample: (key, [loc, logScale, triangle], count) => {
      const z = Rng.normal(key, new Float64Array(count * length))
      return z.map((own, at) => {
        const i = at % length
        let sum = own
        for (let j = 0; j < i; j++) sum += triangle![i * length + j]! * z[at - i + j]!
        return loc![i]! + exp(logScale![i]!) * sum
      })
    },
    logDensity: MultivariateNormal.logDensity,
    score: MultivariateNormal.score,
    project: MultivariateNormal.moved,
  }
}
