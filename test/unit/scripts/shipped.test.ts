import { describe, expect, it } from "vitest"
import { unlocked, verdict } from "../../../scripts/audit.mjs"
import { check, named } from "../../../scripts/licences.mjs"
import { places } from "../../../scripts/shipped.mjs"

const integrity = "sha512-abc"
const bundled = [
  { place: "node_modules/drawing", name: "drawing", version: "1.0.0" },
  { place: "node_modules/drawing/node_modules/maths", name: "maths", version: "2.0.0" },
]
const lock = {
  packages: {
    "": {},
    "scripts/site": {},
    "node_modules/site": { link: true },
    "node_modules/installed": { version: "1.0.0", license: "MIT", integrity },
    "node_modules/drawing": { version: "1.0.0", license: "ISC", integrity, dev: true },
    "node_modules/drawing/node_modules/maths": { version: "2.0.0", license: "MIT", integrity, dev: true },
    "node_modules/tool": { version: "1.0.0", license: "MPL-2.0", integrity, dev: true },
  },
}
/** The lock file with another entry; without one for undefined. */
const changed = (place: string, entry: object | undefined) => ({
  packages: Object.fromEntries(
    Object.entries({ ...lock.packages, [place]: entry }).flatMap(([key, one]) =>
      one === undefined ? [] : [[key, one]],
    ),
  ),
})

it("Packages of an install and of bundles are shipped", () => {
  expect([...places(lock, bundled)].sort()).toEqual([
    "node_modules/drawing",
    "node_modules/drawing/node_modules/maths",
    "node_modules/installed",
  ])
})

describe("licences of packages", () => {
  const of = (license: string | undefined, place: string) =>
    check(changed(place, { version: "1.0.0", ...(license && { license }), dev: true }), bundled)

  it("are free, alone, in choices and in combinations", () => {
    for (const one of ["MIT", "(MIT OR GPL-3.0)", "Apache-2.0 AND MIT"])
      expect(of(one, "node_modules/drawing")).toEqual([])
    for (const one of ["GPL-3.0", "MIT AND GPL-3.0", undefined])
      expect(of(one, "node_modules/tool")).toHaveLength(1)
  })

  it("are held to the same rule in an install and in bundles, and to another one in tools", () => {
    expect(check(lock, bundled)).toEqual([])
    expect(of("MPL-2.0", "node_modules/drawing/node_modules/maths")).toEqual([
      expect.stringContaining("node_modules/drawing/node_modules/maths: MPL-2.0"),
    ])
    expect(check(changed("node_modules/installed", { license: "MPL-2.0" }), bundled)).toHaveLength(1)
  })

  it("stand in the list of SECURITY.md", () => {
    const [from, to] = ["a\n\n<!-- bundled -->", "<!-- /bundled -->\n\nb\n"]
    const text = `${from}\n\n- ISC: drawing\n- MIT: maths\n\n${to}`
    expect(named(`${from}\n- MIT: old\n${to}`, lock, bundled)).toBe(text)
    expect(named(text, lock, bundled)).toBe(text)
    expect(() => named("no marks", lock, bundled)).toThrow("the text has no <!-- bundled -->")
  })
})

describe("the audit", () => {
  it("fails for shipped packages that are not in the lock file, or without a hash there, without a network", () => {
    expect(unlocked(lock, bundled)).toEqual([])
    expect(unlocked(changed("node_modules/drawing", undefined), bundled)).toEqual([
      "node_modules/drawing is in a bundle and not in package-lock.json; run npm install",
    ])
    expect(unlocked(changed("node_modules/drawing", { version: "1.0.1", integrity }), bundled)).toEqual([
      "node_modules/drawing is in a bundle as 1.0.0, and in package-lock.json as 1.0.1; run npm ci",
    ])
    for (const place of ["node_modules/installed", "node_modules/drawing"])
      for (const weak of [{}, { integrity: "sha1-abc" }])
        expect(unlocked(changed(place, { version: "1.0.0", ...weak }), bundled)).toEqual([
          `${place} has no SHA-512 of its bytes in package-lock.json`,
        ])
    expect(unlocked(changed("node_modules/tool", { dev: true }), bundled)).toEqual([])
  })

  it("fails for what is known of shipped packages, and says where nothing was looked at", () => {
    const of = (vulnerabilities: object) =>
      verdict(JSON.stringify({ metadata: { vulnerabilities: {} }, vulnerabilities }), places(lock, bundled))
    const tool = { tool: { nodes: ["node_modules/tool"] } }
    expect(of({})).toEqual({ failed: false, message: "no known vulnerabilities" })
    expect(of(tool)).toEqual({
      failed: false,
      message: "no known vulnerabilities; 1 in tools, of which nothing is shipped",
    })
    for (const name of ["installed", "drawing"])
      expect(of({ ...tool, [name]: { nodes: ["node_modules/x", `node_modules/${name}`] } })).toEqual({
        failed: true,
        message: `known vulnerabilities of ${name}; 1 in tools, of which nothing is shipped; see npm audit`,
      })
    // An answer that does not say where.
    expect(of({ left: {} }).failed).toBe(true)
    for (const [text, reason] of [
      [JSON.stringify({ message: "404" }), "404"],
      [JSON.stringify({ message: "", error: { summary: "" } }), "the registry has no audits"],
      ["", "npm audit gave no answer"],
    ] as const)
      expect(verdict(text, new Set())).toEqual({
        failed: false,
        message: `NOT CHECKED for known vulnerabilities: ${reason}`,
      })
  })
})
