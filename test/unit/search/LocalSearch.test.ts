import { describe, expect, it } from "vitest"
import * as Link from "../../../src/prob/Link.ts"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import * as Claims from "../../../src/search/Claims.ts"
import * as LawResiduals from "../../../src/search/LawResiduals.ts"
import * as LocalSearch from "../../support/localSearch.ts"
import * as WorkingResponse from "../../../src/evidence/workingResponse.ts"
import * as Move from "../../../src/search/Move.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Spaces from "../../support/spaces.ts"

type Law = (row: ReadonlyArray<number>) => number

interface Options {
  readonly noise?: number
  readonly seed?: number
  /** the chances of the search, in place of those of the seed */
  readonly chances?: Rng.Generator
  readonly moves?: ReadonlyArray<Move.AnyMove>
}

/** A search for a law, with noise of a size relative to y's root mean square. */
const searchFor = (law: Law, options: Options = {}) => {
  const { noise = 0, seed = 1, chances = Rng.generator(Rng.key(seed + 100)), moves } = options
  const generator = Rng.generator(Rng.key(seed))
  const plain = Spaces.make(law)
  const rms = Math.sqrt(plain.data.y.reduce((sum, y) => sum + y * y, 0) / plain.data.rows)
  const spaces = Spaces.make((row) => law(row) + noise * rms * generator.normal(), { responses: 2 })
  const { space, data } = spaces
  const target = GPrior.target(data.y, { a: 3, resolution: 1e-6 })
  const nothing = GPrior.logNull(target)
  const table = GPrior.table(target)
  const search = LocalSearch.make(
    space,
    {
      most: 2,
      links: [0, 1, 2],
      weigh: () => undefined,
      weights: () => undefined,
      bound: () => undefined,
      evidence: (_, rank, rss) => nothing + table(rank, rss),
      prior: (response, trees, sum) => sum - trees - 2 * response,
    },
    chances,
    1000,
    undefined,
    undefined,
    moves,
  )
  ;[Link.identity, Link.inverse].forEach((link, response) => {
    const { z, w } = WorkingResponse.make(link, data.y)!.respond(undefined)
    search.respond(response, z, w)
  })
  return { spaces, search, total: target.tss }
}

const laws: Readonly<Record<string, Law>> = {
  "one term": ([a, b]) => 2 * a! * b! ** 2 + 5,
  "two terms": ([a, b]) => 3 * Math.sin(a! * b!) - a! / b!,
  "a quotient of sums": ([a, b]) => 1 / (2 * a! + Math.sin(b!)),
}

describe("a search over hard ensembles", () => {
  for (const [name, law] of Object.entries(laws))
    it(`finds ${name}`, () => {
      const { search, total } = searchFor(law)
      for (let i = 0; i < 150 && !((search.leader()?.rss ?? total) < 1e-10 * total); i++) search.step()
      expect(search.leader()!.rss / total).toBeLessThan(1e-10)
    })

  it("finds the same from the same seed", () => {
    const found = [1, 1].map((seed) => {
      const { search } = searchFor(laws["two terms"]!, { noise: 0.05, seed })
      for (let i = 0; i < 40; i++) search.step()
      return search.kept().map(({ trees, score }) => [trees, score])
    })
    expect(found[0]).toEqual(found[1])
  })

  it("keeps ensembles with the score that it states, best first, each value once", () => {
    const { search, spaces, total } = searchFor(laws["two terms"]!, { noise: 0.05 })
    for (let i = 0; i < 40; i++) search.step()
    const kept = search.kept()
    expect(kept.length).toBeGreaterThan(50)
    const scores = kept.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(search.leader()).toEqual(kept[0])
    for (const ensemble of kept.slice(0, 20)) {
      expect(new Set(ensemble.signatures).size).toBe(ensemble.trees.length)
      if (ensemble.response !== 0) continue
      const fitted = search.fitted(ensemble)
      const rss = spaces.data.y.reduce((sum, y, i) => sum + (y - fitted[i]!) ** 2, 0)
      expect(Math.abs(rss - ensemble.rss) / total).toBeLessThan(1e-5)
    }
  })

  it("begins anew with nothing of what it found before", () => {
    /** A generator that can be set back to its seed. */
    const source = () => {
      const made = (): Rng.Generator => Rng.generator(Rng.key(7))
      let own = made()
      const chances = { ...own, next: () => own.next() }
      return { chances, reset: () => (own = made()) }
    }
    const follow = ({ step, kept }: LocalSearch.Search): ReadonlyArray<ReadonlyArray<number>> =>
      Array.from({ length: 40 }, () => {
        step()
        return kept().map(({ score }) => score)
      })
    const [before, only] = [source(), source()]
    const options = { noise: 0.05 }
    const twice = searchFor(laws["two terms"]!, { ...options, chances: before.chances }).search
    const once = searchFor(laws["two terms"]!, { ...options, chances: only.chances }).search
    for (const search of [once, twice]) while (search.growing()) search.step()
    // No whole number of rounds of what is done every so many steps: where in a round the first start ended is forgotten as well.
    for (let i = 0; i < 70; i++) twice.step()
    // What is proposed from outside is not to lead the next start either.
    twice.propose(twice.kept().flatMap(({ trees }) => trees))
    twice.restart()
    before.reset()
    expect(follow(twice)).toEqual(follow(once))
    expect(twice.bench.space.dag.size()).toBe(once.bench.space.dag.size())
  })

  it("scores anew what it keeps when a response changes", () => {
    const { search, spaces } = searchFor(laws["one term"]!)
    for (let i = 0; i < 60; i++) search.step()
    const z = spaces.data.columns[0]!.map((a, i) => Math.sqrt(a) + spaces.data.columns[1]![i]! / 10)
    search.respond(
      0,
      z,
      z.map(() => 1),
    )
    const anew = search.kept().filter(({ response }) => response === 0)
    expect(anew.length).toBeGreaterThan(20)
    for (const ensemble of anew) {
      const fitted = search.fitted(ensemble)
      const rss = z.reduce((sum, value, i) => sum + (value - fitted[i]!) ** 2, 0)
      expect(Math.abs(rss - ensemble.rss)).toBeLessThan(1e-4)
    }
  })

  it("takes ensembles that were found elsewhere, scored as if it had found them", () => {
    const law = laws["two terms"]!
    const [first, second] = [searchFor(law, { noise: 0.05 }), searchFor(law, { noise: 0.05 })]
    for (let i = 0; i < 60; i++) first.search.step()
    while (second.search.growing()) second.search.step()
    const own = second.search.leader()!
    const found = first.search.kept().filter(({ response }) => response === 0)
    const { dag } = first.spaces.space
    const interned = found.map(({ trees }) => trees.map((id) => second.spaces.space.dag.intern(dag.tree(id))))
    const before = second.search.scored()
    second.search.take(0, [...interned, []])
    expect(second.search.scored() - before).toBe(interned.length)
    expect(second.search.leader()!.score).toBeGreaterThan(own.score)
    // The same values, up to the order in which columns of float32 were summed.
    expect(second.search.leader()!.score).toBeCloseTo(found[0]!.score, 3)
    const key = (trees: ReadonlyArray<number>): string => [...trees].sort((a, b) => a - b).join()
    const kept = new Set(second.search.kept().map(({ trees }) => key(trees)))
    const lost = interned.slice(0, 10).filter((trees) => !kept.has(key(trees)))
    expect(lost).toEqual([])
  })

  it("leaves out a tree that its best ensemble does not need", () => {
    const { search, spaces } = searchFor(laws["one term"]!, { noise: 0.2 })
    while (search.growing()) search.step()
    const square = Spaces.apply(spaces, "square", 1)
    const law = Spaces.apply(spaces, "mul", 0, square)
    const wave = Spaces.apply(spaces, "sin", Spaces.apply(spaces, "mul", square, square))
    search.take(0, [[law, wave]])
    search.bench.scoring.shorten(search.bench.frontiers[0]!)
    expect(search.kept().map(({ trees }) => trees)).toContainEqual([law])
  })

  it("scores the leaders of a link by their laws, and not as the working response has them", () => {
    const noise = Rng.generator(Rng.key(5))
    // Under y = log(eta), far from the mean of a law, every column leaves a residual of 1 at most.
    const spaces = Spaces.make(([a, b]) => 30 + 5 * a! * b! + 10 * noise.normal(), { responses: 1 })
    const { space, data } = spaces
    const target = GPrior.target(data.y, { a: 3, resolution: 1e-6 })
    const [nothing, table] = [GPrior.logNull(target), GPrior.table(target)]
    const approximate = {
      most: 2,
      links: [0],
      weigh: () => undefined,
      weights: () => undefined,
      bound: () => undefined,
      evidence: (_: number, rank: number, rss: number) => nothing + table(rank, rss),
      prior: (_: number, trees: number, sum: number) => sum - trees,
    }
    const working = WorkingResponse.make(Link.exp, data.y)!
    const { z, w } = working.respond(undefined)
    const residuals = LawResiduals.make([working], data.y, () => undefined)
    const leads = [Claims.none, residuals].map((claims) => {
      const search = LocalSearch.make(space, approximate, Rng.generator(Rng.key(8)), 1000, undefined, claims)
      search.respond(0, z, w)
      for (let i = 0; i < 20; i++) search.step()
      const leader = search.leader()!
      // Of others the score is checked when it is asked for.
      for (const entry of claims === residuals ? search.kept().slice(0, 30) : []) {
        const own = search.bench.scoring.checked(entry)
        const exact = residuals.rss(0, search.fitted(entry))
        expect(exact).toBeLessThanOrEqual(Claims.doubtful * own.rss * (1 + 1e-6))
        expect(own.score).toBeLessThanOrEqual(entry.score)
      }
      return { claimed: leader.rss, true: residuals.rss(0, search.fitted(leader)) }
    })
    expect(leads[0]!.true).toBeGreaterThan(10 * leads[0]!.claimed)
    expect(leads[1]!.true).toBeLessThanOrEqual(Claims.doubtful * leads[1]!.claimed * (1 + 1e-6))
  })

  it("takes proposals into the slots of its leaders", () => {
    const { search, spaces, total } = searchFor(([a, b]) => Math.sin(a! * b!) * (a! - b!) ** 2 + a!)
    while (search.growing()) search.step()
    search.step()
    expect(search.leader()!.rss / total).toBeGreaterThan(1e-6)
    const wave = Spaces.apply(spaces, "sin", Spaces.apply(spaces, "mul", 0, 1))
    const square = Spaces.apply(spaces, "square", Spaces.apply(spaces, "sub", 0, 1))
    search.propose([Spaces.apply(spaces, "mul", wave, square), 0])
    search.propose([0, 1])
    expect(search.leader()!.rss / total).toBeLessThan(1e-10)
  })

  it("makes moves around an ensemble that a move has found", () => {
    const around: Array<number> = []
    const planted: Array<number> = []
    const planting = Move.make<undefined>({
      name: "planting",
      begin: () => undefined,
      step: (bench, memory) => {
        const { apply, frontiers } = bench
        if (planted.length === 0)
          planted.push(apply("mul", apply("sin", 0), apply("square", apply("sub", 0, 1))))
        bench.alone(frontiers[0]!, planted)
        return memory
      },
      slot: (_bench, _frontier, { tree }) => {
        if (tree !== undefined) around.push(tree)
      },
    })
    const { search } = searchFor(([a, b]) => Math.sin(a!) * (a! - b!) ** 2, { moves: [planting] })
    while (planted.length === 0) search.step()
    expect(search.leader()!.trees).toEqual(planted)
    expect(around.filter((tree) => tree === planted[0])).toHaveLength(1)
  })

  it("takes memory for what it keeps, not for what it tries", () => {
    const { search, spaces } = searchFor(([a, b]) => Math.sin(a! * b!) * (a! - b!) ** 3 + a!, { noise: 0.1 })
    for (let i = 0; i < 200; i++) search.step()
    expect(search.scored()).toBeGreaterThan(50_000)
    expect(spaces.space.dag.size()).toBeLessThan(0.2 * search.scored())
  })
})
