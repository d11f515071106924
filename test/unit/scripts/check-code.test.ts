import { describe, expect, it } from "vitest"
import { verdict } from "../../../scripts/audit.mjs"
import { check } from "../../../scripts/check-code.mjs"
import { check as licences } from "../../../scripts/licences.mjs"

const messages = (file: string, source: string) => check({ [file]: source }).map(({ message }) => message)

describe("texts that become code", () => {
  it.each([
    ['new Function("x", "return x")', "makes a function of a text"],
    ['Function("return 1")()', "makes a function of a text"],
    ['eval("1")', "calls eval"],
    ['globalThis.eval("1")', "calls eval"],
    ['(() => 1).constructor("return 1")', "makes a function of a text"],
    ['setTimeout("f()", 1)', "gives setTimeout a text to run"],
    ['import vm from "node:vm"', "imports node:vm, which runs texts or programs"],
    ['await import("node:child_process")', "imports node:child_process, which runs texts or programs"],
    ["new WebAssembly.Module(bytes)", "has WebAssembly outside of the room that makes it of terms"],
    ['Reflect.get(globalThis, "WebAssembly")', "has WebAssembly outside of the room that makes it of terms"],
  ])("%s", (source, message) => {
    expect(messages("src/cli/One.ts", source)).toEqual([message])
  })

  it("are made where terms are compiled, and are no other calls", () => {
    expect(messages("src/expr/evaluate.ts", "new Function(code)")).toEqual([])
    expect(messages("src/wasm/Module.ts", "new WebAssembly.Module(bytes)")).toEqual([])
    expect(messages("src/cli/One.ts", 'setTimeout(() => f("eval"), 1); one.evaluate("x")')).toEqual([])
  })
})

describe("licences of packages", () => {
  const of = (license: string | undefined, dev = false) =>
    licences({ packages: { "": {}, "node_modules/a": { ...(license && { license }), dev } } })

  it("are free, alone, in choices and in combinations", () => {
    for (const one of ["MIT", "(MIT OR GPL-3.0)", "Apache-2.0 AND MIT"]) expect(of(one)).toEqual([])
    expect(of("MPL-2.0", true)).toEqual([])
    for (const one of ["MPL-2.0", "GPL-3.0", "MIT AND GPL-3.0", undefined]) expect(of(one)).toHaveLength(1)
  })
})

describe("the audit", () => {
  it("fails for what is known, and says where nothing was looked at", () => {
    const found = { metadata: { vulnerabilities: { total: 1 } }, vulnerabilities: { left: {} } }
    expect(verdict(JSON.stringify(found))).toEqual({
      failed: true,
      message: "1 known vulnerabilities: left; see npm audit",
    })
    expect(verdict(JSON.stringify({ metadata: { vulnerabilities: { total: 0 } } })).failed).toBe(false)
    expect(verdict(JSON.stringify({ message: "404" })).message).toBe("not checked: 404")
    expect(verdict("").message).toContain("not checked")
  })
})
