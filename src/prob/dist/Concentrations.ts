import { digamma } from "../../numeric/Special.ts"

/** The uses of categories by one formula. */
export interface Uses {
  /** uses by the name of a category */
  readonly named: ReadonlyMap<string, number>
  /** uses of categories that are alike, one number each: they share one concentration, `alike` */
  readonly alike?: ReadonlyArray<number> | undefined
}

/** The mean weights of a Dirichlet distribution. */
export const shares = (concentrations: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = concentrations.reduce((sum, one) => sum + one, 0)
  return concentrations.map((one) => one / total)
}

/** The name of the concentration that like categories share. */
export const alike = "alike"

const none: ReadonlyArray<number> = []

/**
 * Dirichlet concentrations of highest posterior density given the uses by each formula, which are Dirichlet-multinomial, by
 * Minka's fixed point (2000, Estimating a Dirichlet distribution). Each concentration has a Gamma(3/2, 1/2) prior: that of half a formula
 * at the value 1.
 *
 * @param all the uses by each formula
 * @param names the categories; `alike` stands for each of a formula's like ones
 */
export const concentrations = (
  all: ReadonlyArray<Uses>,
  names: ReadonlyArray<string>,
): ReadonlyMap<string, number> => {
  let current = new Map(names.map((name) => [name, 1]))
  for (let step = 0; step < 500; step++) {
    const over = new Map(names.map((name) => [name, 0.5]))
    const under = new Map(names.map((name) => [name, 0.5]))
    const gain = (name: string, by: number): void => void over.set(name, (over.get(name) ?? 0) + by)
    const value = (name: string): number => current.get(name) ?? 0
    for (const { named, alike: like = none } of all) {
      const times = (name: string): number => (name === alike ? like.length : 1)
      const total = names.reduce((sum, name) => sum + value(name) * times(name), 0)
      const count = [...named.values(), ...like].reduce((sum, one) => sum + one, 0)
      if (count === 0) continue
      const share = digamma(total + count) - digamma(total)
      for (const name of names) under.set(name, under.get(name)! + share * times(name))
      const used = (name: string, one: number): void =>
        gain(name, value(name) * (digamma(value(name) + one) - digamma(value(name))))
      for (const [name, one] of named) used(name, one)
      for (const one of like) used(alike, one)
    }
    current = new Map(names.map((name) => [name, over.get(name)! / under.get(name)!]))
  }
  return current
}
