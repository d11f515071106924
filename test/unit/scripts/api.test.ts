import { describe, expect, it } from "vitest"
import { report, surface } from "../../../scripts/api.mjs"

const files: Readonly<Record<string, string>> = {
  index: `export * as Dist from "./prob/Dist.ts"; // distributions\n`,
  "prob/Dist": `import * as Beta from "./dist/Beta.ts";
import type { Hidden } from "./dist/Beta.ts";
/** A documented constant. */
export declare const zero: number, one: number;
/** An overload. */
export declare function f(x: number): number;
export declare function f(x: string): string;
interface Kept {
    /** documented */
    readonly value: Beta.Beta;
}
export declare const kept: Kept;
export { make as beta } from "./dist/Beta.ts";
export { Hidden };
export * from "./dist/All.ts";
`,
  "prob/dist/Beta": `export interface Beta {
    readonly a: number;
}
export type Hidden = 1;
export declare const make: (a: number) => Beta;
`,
  "prob/dist/All": `declare const own: 1;\nexport declare const all: 2;\nexport {};\n`,
}
const read = (name: string) => files[name]
const textsOf = (name: string) => surface(read, name).map(({ text }) => text)

describe("the report of the API", () => {
  it("has what a module declares and exports again, sorted by name, without comments", () => {
    expect(textsOf("prob/Dist")).toEqual([
      "export type Hidden = 1;",
      "interface Kept {\n    readonly value: Beta.Beta;\n}",
      "export declare const all: 2;",
      "export declare const make: (a: number) => Beta;",
      "export { make as beta };",
      "export declare function f(x: number): number;",
      "export declare function f(x: string): string;",
      "export declare const kept: Kept;",
      "export declare const zero: number, one: number;",
      "export declare const zero: number, one: number;",
    ])
  })

  it("has the private modules whose types public ones name, at the end", () => {
    const text = report(read, ["prob/Dist"])
    expect(text).toContain('## vasst\n\nexport * as Dist from "./prob/Dist.ts";\n\n## vasst/prob/Dist\n')
    expect(text.indexOf("## private: prob/dist/Beta")).toBeGreaterThan(text.indexOf("## vasst/prob/Dist"))
    expect(text).toContain("export interface Beta {\n    readonly a: number;\n}")
  })

  it("differs where a signature does, and not where documentation does", () => {
    const other = (before: string, after: string) =>
      report((name) => files[name]?.replace(before, after), ["prob/Dist"])
    const text = report(read, ["prob/Dist"])
    expect(other("A documented constant", "Another word")).toBe(text)
    expect(other("x: string): string", "x: string): number")).not.toBe(text)
    // A private module's signature is part of the API as well.
    expect(other("readonly a: number", "readonly a: string")).not.toBe(text)
  })

  it("says which module has no declarations", () => {
    expect(() => surface(read, "prob/Nothing")).toThrow("prob/Nothing has no declarations")
  })
})
