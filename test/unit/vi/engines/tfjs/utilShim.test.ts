import { createRequire } from "node:module"
import { expect, it } from "vitest"
import { installUtilShim } from "../../../../../src/vi/engines/tfjs/utilShim.ts"

const require = createRequire(import.meta.url)

it('gives require("util") the predicates that tfjs-node calls', () => {
  const util = require("util") as Record<string, (value: unknown) => boolean>
  // As on Node 23 and later.
  delete util["isArray"]
  delete util["isNullOrUndefined"]
  installUtilShim()
  installUtilShim()
  expect(util["isNullOrUndefined"]?.(undefined)).toBe(true)
  expect(util["isNullOrUndefined"]?.(0)).toBe(false)
  expect(util["isArray"]?.([])).toBe(true)
  expect(util["isArray"]?.({ length: 0 })).toBe(false)
})
