// Local searches over a space, with what a test asks of them.
import * as Claims from "../../src/search/Claims.ts"
import * as LocalSearch from "../../src/search/LocalSearch.ts"
import type * as Move from "../../src/search/Move.ts"
import * as Moves from "../../src/search/Moves.ts"
import type { ConstantFitting } from "../../src/search/ConstantFitting.ts"
import type { ApproximateEvidence } from "../../src/search/ApproximateEvidence.ts"
import type { SearchSpace } from "../../src/search/SearchSpace.ts"
import * as State from "../../src/search/State.ts"
import * as Rng from "../../src/random/Rng.ts"

export const make = (
  space: SearchSpace,
  approximate: ApproximateEvidence,
  chances: Rng.Generator,
  librarySize: number,
  fitter?: ConstantFitting,
  claims: Omit<Claims.Claims, "leading"> = Claims.none,
  moves: ReadonlyArray<Move.AnyMove> = Moves.all,
) => {
  const key = Rng.key(21)
  const core = State.nothing(space.responses.length, moves, key)
  const links = space.responses.map((_, response) => response)
  const search = LocalSearch.make(
    space,
    approximate,
    () => chances,
    key,
    core,
    links,
    0,
    librarySize,
    fitter,
    moves,
    claims,
    () => true,
  )
  const { bench } = search
  return {
    ...search,
    growing: bench.library.growing,
    leader: bench.best,
    kept: bench.kept,
    scored: bench.scoring.scored,
    fitted: bench.scoring.fitted,
    propose: bench.everywhere,
  }
}

export type Search = ReturnType<typeof make>
