// The sites of the model that ships, in types: what a family for it has to provide.
import { expectTypeOf, it } from "vitest"
import type * as Model from "vasst/prob/Model"
import type * as Law from "vasst/models/law"

it("carries indicators and the link among its sites", () => {
  type Sites = Model.SitesOf<ReturnType<typeof Law.model>>
  expectTypeOf<Sites>().toEqualTypeOf<
    | Model.Site<"operatorWeights", "simplex">
    | Model.Site<"featureWeights", "simplex">
    | Model.Site<"trees.split", "binary">
    | Model.Site<"trees.operator", "categorical">
    | Model.Site<"trees.terminal", "categorical">
    | Model.Site<"trees.included", "binary">
    | Model.Site<"link", "categorical">
  >()
})
