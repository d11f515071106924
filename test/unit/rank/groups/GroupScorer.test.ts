import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../../src/data/Data.ts"
import * as Groups from "../../../../src/data/Groups.ts"
import * as FormulaTrees from "../../../../src/models/FormulaTrees.ts"
import * as Law from "../../../../src/models/law.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import * as GroupForm from "../../../../src/rank/groups/GroupForm.ts"
import * as GroupScorer from "../../../../src/rank/groups/GroupScorer.ts"

const rows = 30

/** Rows of groups with noise. */
const table = (law: (t: number, group: number) => number, groups: number, noise: number) => {
  const errors = Rng.normal(Rng.key(4), new Float64Array(groups * rows))
  const list = Array.from({ length: groups * rows }, (_, i) => {
    const [group, t] = [Math.floor(i / rows), ((i % rows) * 6) / rows]
    return { group, t, y: law(t, group) + noise * errors[i]! }
  })
  return {
    X: list.map(({ group, t }) => [group, t]),
    y: list.map(({ y }) => y),
    features: ["group", "t"],
  }
}

/** A formula over the groups of a table, its names fitted to each group, under the identity. */
const loose = (of: ReturnType<typeof table>, formula: string) =>
  Effect.gen(function* () {
    const groups = yield* Groups.of(yield* Data.fromRows(of), "group")
    const plan = yield* Plan.declared(Law.programOf(groups.data, { noise: "additive" }))
    const { likelihood } = plan
    const { grammar } = likelihood.forest
    const links = likelihood.link!.links
    const forms = yield* Effect.forEach(groups.parts, (part) =>
      Effect.map(FormulaTrees.of(formula, part, grammar, links), (begun) =>
        begun
          .filter(({ link }) => links[link]!.name === "identity")
          .map(({ link, trees }) => GroupForm.make(grammar, link, trees)),
      ),
    )
    const scorer = yield* GroupScorer.make(likelihood, plan.sites, groups)
    return { scorer, loose: scorer.loose(forms.flat(), true) }
  }).pipe(Effect.runPromise)

describe("GroupScorer", () => {
  const decay = table((t, group) => (1 + group / 3) * Math.exp(-(0.8 + group / 20) * t), 4, 0.05)

  it("refuses a law with a number that others make up for in every group", async () => {
    expect((await loose(decay, "a*exp(-k*(t + b))")).loose).toBeUndefined()
  })

  it("scores the law without it", async () => {
    const { scorer, loose: found } = await loose(decay, "a*exp(-k*t)")
    const { sharing } = scorer.score(found!)!
    expect(sharing.roles.map(({ _tag }) => _tag)[0]).toBe("Exact")
    expect(sharing.roles.filter(({ _tag }) => _tag === "Varies").length).toBeGreaterThan(0)
  })

  it("puts the groups' numbers into one mode: phases that differ by half a turn are one with the other sign", async () => {
    // Fits of single groups end at either sign of the amplitude.
    const waves = table((t, group) => (0.7 + group / 10) * Math.cos((0.6 + group / 8) * t + 1.05), 6, 0.05)
    const { loose: found } = await loose(waves, "a*cos(w*t + p)")
    const [first] = found!.points
    for (const { numbers } of found!.points) {
      expect(Math.sign(numbers[1]!)).toBe(Math.sign(first!.numbers[1]!))
      expect(Math.abs(numbers[3]! - first!.numbers[3]!)).toBeLessThan(0.5)
    }
  })

  it("has no law whose residuals are larger than the noise that its evidence is that of", async () => {
    // a + b exp(c t) of points of a line is best at infinite a and b.
    const line = table((t, group) => (group + 2) * t + 4, 3, 0.01)
    const straight = await loose(line, "a*t + 4")
    const known = straight.scorer.score(straight.loose!)!
    for (const formula of ["a + b*exp(c*t)", "a + b*t/(c*t + 1)", "a + b*sin(c*t)"]) {
      const { scorer, loose: found } = await loose(line, formula)
      const scored = found && scorer.score(found)
      if (scored === undefined) continue
      // Rows of groups, each times one over the deviation of the noise of its group.
      const { joint, sigma } = scored.sharing
      expect(joint.rss / (3 * rows)).toBeLessThan(2 * sigma * sigma)
      expect(scored.lmpse).toBeLessThan(known.lmpse)
    }
  })
})
