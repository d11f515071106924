/** A probability as people read it: 75 %, 0.3 %. */
export const percent = (probability: number): string => {
  const value = 100 * probability
  if (value > 99.9 && value < 100) return "> 99.9 %"
  if (value >= 10) return `${Math.round(value)} %`
  return value >= 0.1 ? `${Number(value.toPrecision(2))} %` : value === 0 ? "0 %" : "< 0.1 %"
}
