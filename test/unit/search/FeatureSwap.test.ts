import { describe, expect, it } from "vitest"
import * as FeatureSwap from "../../../src/search/FeatureSwap.ts"
import * as Spaces from "../../support/spaces.ts"

const spaces = Spaces.make(([a, b]) => a! * b!)
const { space } = spaces

describe("renaming", () => {
  it("puts other features in the place of one or two", () => {
    const tree = Spaces.apply(spaces, "square", 0)
    expect(FeatureSwap.renamings(space, tree, 100)).toEqual([Spaces.apply(spaces, "square", 1)])
    expect(FeatureSwap.featuresOf(space, Spaces.apply(spaces, "add", tree, 2))).toEqual([0])
  })
})
