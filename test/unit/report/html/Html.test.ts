import { describe, expect, it } from "vitest"
import { escape, html, shortened } from "../../../../src/report/html/Html.ts"
import { quoted } from "../../../../src/report/html/RunSection.ts"
import { execFileSync } from "node:child_process"
import * as hostile from "../../../support/hostile.ts"

describe("markup", () => {
  it("has texts escaped and markup as it is", () => {
    expect(html`<p title="${'"<b>'}">${["a&b", html`<i>${"'"}</i>`, 3]}</p>`.text).toBe(
      '<p title="&quot;&lt;b&gt;">a&amp;b<i>&#39;</i>3</p>',
    )
  })

  it("has no control character", () => {
    expect(escape("a\u0000b\u001bc\u007fd\te\nf\u0085")).toBe("a␀b␛c␡d\te\nf\ufffd")
  })
})

describe("a long name", () => {
  it("loses its middle, and no half of a character", () => {
    expect(shortened("short")).toBe("short")
    expect(shortened("x".repeat(48))).toBe("x".repeat(48))
    const long = shortened("𝛼".repeat(5000), 10)
    expect(Array.from(long)).toHaveLength(10)
    expect(long).toBe(`${"𝛼".repeat(5)}…${"𝛼".repeat(4)}`)
  })

  it("of any length is cut", () => {
    expect(Array.from(shortened("y".repeat(50_000_000)))).toHaveLength(48)
  })
})

describe("a command", () => {
  it("is what a shell reads back", () => {
    const words = [
      "plain",
      "a b",
      "it's",
      "$(x)",
      "`x`",
      "",
      "-1,2",
      ...hostile.names.filter((one) => one.length < 99),
    ]
    const said = execFileSync("sh", ["-c", `printf '%s\\0' ${words.map(quoted).join(" ")}`], {
      encoding: "utf8",
    })
    expect(said.split("\0").slice(0, -1)).toEqual(words)
  })
})
