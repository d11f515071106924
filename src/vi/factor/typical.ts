import { CompileError } from "../../errors/Errors.ts"
import { log } from "../../numeric/Elementary.ts"
import type { Dist } from "../../prob/dist/Distribution.ts"
import type { FactorSite } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { typicalPriors } from "./divergence.ts"

/** The initial location and standard deviation of a normal factor. */
export interface Centred {
  readonly centre: number
  readonly sd: number
}

/** The number of draws that gives median and quartiles to 2 % of the distance of the quartiles. */
const DRAWS = 4001

/** The median of transformed draws, and the standard deviation of a normal distribution with their quartiles. */
export const quartiles = (dist: Dist, scale: (x: number) => number): Centred => {
  const source = Rng.generator(Rng.key(0))
  const out = new Float64Array(1)
  const draws = Float64Array.from({ length: DRAWS }, () => {
    dist.draw(source, out, 0)
    return scale(out[0]!)
  }).sort()
  const at = (share: number): number => draws[Math.round(share * (DRAWS - 1))]!
  return { centre: at(0.5), sd: (at(0.75) - at(0.25)) / 1.349 }
}

const usable = ({ centre, sd }: Centred): boolean => Number.isFinite(centre) && sd > 0 && sd < Infinity

/** Mean and standard deviation; median and quartiles of draws where these do not exist, as of Student's t. */
export const centred = (dist: Dist<"real">): Centred => {
  const [centre = Number.NaN] = dist.mean()
  const [variance = Number.NaN] = dist.variance()
  const found = { centre, sd: Math.sqrt(variance) }
  return usable(found) ? found : quartiles(dist, (x) => x)
}

/** E[log X] and the standard deviation of log X; from draws where the distribution does not give them. */
export const centredLog = (dist: Dist<"positive">): Centred => {
  const moments = dist.logMoments?.()
  if (moments === undefined) return quartiles(dist, log)
  return { centre: moments.mean, sd: Math.sqrt(moments.variance) }
}

/** Refuses a bounded prior for a factor that is positive everywhere: the divergence would be infinite. */
export const refuseBounds = (
  site: FactorSite<"real"> | FactorSite<"positive"> | FactorSite<"unit">,
  factor: string,
): void => {
  for (const { bounds, name } of typicalPriors(site))
    if (bounds !== undefined)
      throw new CompileError({
        message: `the prior ${name} of the site "${site.name}" is 0 outside of [${bounds.join(", ")}], but the factor ${factor} is not; use Family.factors.bounded()`,
      })
}
