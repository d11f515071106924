import { describe, expect, it } from "vitest"
import * as redacted from "../../../src/internal/redacted.ts"

describe("the address of a database", () => {
  it("is shown without passwords and parameters", () => {
    expect(redacted.address("postgres://me:secret@db:5432/jobs?sslmode=require&password=secret#secret")).toBe(
      "postgres://me@db:5432/jobs",
    )
    expect(redacted.address("sqlite:a/jobs.sqlite")).toBe("sqlite:a/jobs.sqlite")
  })

  it.each([
    "postgres://me:secret@db:port/jobs",
    "me:secret",
    "host=db password=secret",
    // A password with a bare / or #: the part before it is read as a port.
    "postgres://me:12/secret@db/jobs",
    "postgres://me:12#secret@db/jobs",
    "postgres://me:12?secret@db/jobs",
  ])("is not shown where it cannot be taken apart: %s", (address) => {
    expect(redacted.address(address)).toBe("the database")
  })
})

describe("a text", () => {
  it.each([
    ["postgres://me:secret@db/jobs: no answer", "postgres://me:***@db/jobs: no answer"],
    ['unexpected "postgresql://:se/c@re:t@db/jobs"; see', 'unexpected "postgresql://:***@db/jobs"; see'],
    ["http://a:b@c and postgres://d:e@f\n", "http://a:***@c and postgres://d:***@f\n"],
    ["--database=postgres://me:secret@db", "--database=postgres://me:***@db"],
    [
      "postgres://db/jobs?sslmode=require&password=secret&x=1",
      "postgres://db/jobs?sslmode=require&password=***&x=1",
    ],
    ["postgres://db/jobs?sslPassword=secret", "postgres://db/jobs?sslPassword=***"],
  ])("has no password: %s", (text, shown) => {
    expect(redacted.text(text)).toBe(shown)
  })

  it.each([
    "postgres://me@db:5432/jobs: the connection is lost",
    "https://example.org:80/a?b=c",
    "me@example.org: a:b@c",
    "the columns  a:\tb@c\n",
    "",
  ])("without one stays as it is: %s", (text) => {
    expect(redacted.text(text)).toBe(text)
  })

  it("of any length is read in one pass", () => {
    // Reading it again from each of these words would take hours.
    for (const part of ["a://", "://b:", "?pass", "&x=1", "@", ":"])
      expect(redacted.text(part.repeat(300_000)).length).toBeGreaterThan(0)
  })
})

describe("the arguments of a command line", () => {
  it("have no password", () => {
    const url = "postgres://me:secret@db/jobs?sslmode=require"
    expect(redacted.args(["fit", "a.csv", "--database-url", url, "--cluster"])).toEqual([
      "fit",
      "a.csv",
      "--database-url",
      "postgres://me@db/jobs",
      "--cluster",
    ])
    expect(redacted.args([`--database-url=${url}`])).toEqual(["--database-url=postgres://me@db/jobs"])
    expect(redacted.args(["--database-url", "me:secret"])).toEqual(["--database-url", "the database"])
    expect(redacted.args(["--database", url])).toEqual([
      "--database",
      "postgres://me:***@db/jobs?sslmode=require",
    ])
  })

  it("without one stay as they are, whatever is in them", () => {
    const plain = [
      "fit",
      "--",
      "a b.csv",
      "",
      "--where",
      "x > 1 and name = 'a:b@c'",
      "--database-url=sqlite:a",
    ]
    expect(redacted.args(plain)).toEqual(plain)
    expect(redacted.args(redacted.args(["--database-url", "postgres://me:a@db"]))).toEqual([
      "--database-url",
      "postgres://me@db",
    ])
  })
})
