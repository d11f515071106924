import { describe, expect, it } from "vitest"
import { check } from "../../../scripts/check-code.mjs"

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
    expect(messages("bin/supervise.mjs", 'import { spawn } from "node:child_process"')).toEqual([])
    expect(messages("bin/vasst.mjs", 'import { exec } from "node:child_process"')).toHaveLength(1)
    expect(messages("src/cli/One.ts", 'setTimeout(() => f("eval"), 1); one.evaluate("x")')).toEqual([])
  })
})

describe("texts that become code in Python", () => {
  it.each([
    ["value = eval(text)", "calls eval"],
    ["exec (text)", "calls exec"],
    ['f = compile(text, "a", "eval")', "calls compile"],
    ["sympy.sympify(text)", "calls sympify"],
    ["parse_expr(text)", "calls parse_expr"],
    ["    import pickle", "imports pickle, which runs what it reads"],
  ])("%s", (source, message) => {
    const file = "python/src/vasst/one.py"
    expect(check({ [file]: `"""One.\n"""\n${source}\n` })).toEqual([{ file, line: 3, message }])
  })

  it("are no names in texts and comments, and no other calls", () => {
    const source = [
      '"""It has no eval(text)."""',
      "# nor exec(text)",
      "re.compile('a')",
      "\"eval('1')\"",
      "self.evaluate(x)",
      "evaluation = 1",
    ]
    expect(messages("python/src/vasst/one.py", source.join("\n"))).toEqual([])
  })
})
