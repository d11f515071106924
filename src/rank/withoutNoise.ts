import type { Model } from "./Model.ts"

/** Residuals below this share of the standard deviation of y are those of a law without noise, which no other form beats. */
const share = 1e-9

/** Whether a model leaves no more of y than rounding. @param scale of the ranking or the scorer: the standard deviation of y */
export const isWithoutNoise = ({ rmseTrain }: Pick<Model, "rmseTrain">, scale: number): boolean =>
  rmseTrain <= share * scale
