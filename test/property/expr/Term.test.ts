import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"
import { arbitraryTerm, binaryOperations, unaryOperations } from "../../../src/testing/arbitraryTerm.ts"

const term = arbitraryTerm({ variables: ["x", "y"], depth: 4 })
/** Terms so small that equal ones are common. */
const smallTerm = arbitraryTerm({
  variables: ["x", "y"],
  operations: ["neg", "sin", "add", "sub"],
  constants: fc.integer({ min: 0, max: 1 }),
  depth: 1,
})

const layer: fc.Arbitrary<Term.TermF<number>> = fc.oneof(
  fc.integer().map((value) => Term.constant(value)),
  fc.string().map((name) => Term.variable(name)),
  fc
    .tuple(fc.constantFrom(...unaryOperations), fc.integer())
    .map(([operation, argument]) => ({ _tag: "Unary", operation, argument }) as const),
  fc
    .tuple(fc.constantFrom(...binaryOperations), fc.integer(), fc.integer())
    .map(([operation, left, right]) => ({ _tag: "Binary", operation, left, right }) as const),
)

describe("folds", () => {
  it("a shared fold gives what a fold gives, and looks at each shared node once", () => {
    fc.assert(
      fc.property(term, term, (a, b) => {
        let layers = 0
        const count = (layer: Term.TermF<string>): string => {
          layers += 1
          return `${layer._tag}(${Term.children(layer).join()})`
        }
        const [shared, alone] = [Term.foldShared(count), Term.fold(count)]
        const terms = [a, Term.add(a, b), Term.mul(Term.sin(b), Term.add(a, b)), a]
        expect(terms.map(shared)).toEqual(terms.map(alone))
        layers = 0
        terms.forEach(shared)
        // Leaves are quicker to fold than to look up.
        expect(layers).toBe(terms.filter(({ _tag }) => _tag === "Constant" || _tag === "Variable").length)
      }),
    )
  })

  it("the layers of rewritings make the rewritings", () => {
    fc.assert(
      fc.property(term, (one) => {
        expect(Term.foldShared(Term.simplifying)(one)).toEqual(Term.simplify(one))
        expect(Term.foldShared(Term.expanding)(one)).toEqual(Term.expand(one))
      }),
      { numRuns: 500 },
    )
  })
})

describe("a layer", () => {
  it("knows every operation in the generators", () => {
    const known = Term.protect(Term.arithmetic)
    expect(unaryOperations.toSorted()).toEqual(Object.keys(known.unary).toSorted())
    expect(binaryOperations.toSorted()).toEqual(Object.keys(known.binary).toSorted())
  })

  it("maps identity to identity and composition to composition", () => {
    const f = (n: number) => n * 3 + 1
    const g = (n: number) => `${n}`
    fc.assert(
      fc.property(layer, (fa) => {
        expect(Term.mapLayer((n: number) => n)(fa)).toEqual(fa)
        expect(Term.mapLayer((n: number) => g(f(n)))(fa)).toEqual(Term.mapLayer(g)(Term.mapLayer(f)(fa)))
      }),
    )
  })
})

describe("terms", () => {
  it("rebuild themselves", () => {
    fc.assert(
      fc.property(term, (t) => {
        expect(Term.fold<Term.Term>((node) => node)(t)).toEqual(t)
        expect(Term.substitute(t, Term.variable)).toEqual(t)
        expect(Term.substitute(t, {})).toEqual(t)
      }),
    )
  })

  it("are a monad in their variables: substitutions compose", () => {
    fc.assert(
      fc.property(term, term, term, (t, forX, forY) => {
        const first = { x: forX, y: forY }
        const second = { x: Term.constant(3), y: Term.sin(Term.variable("y")) }
        expect(Term.substitute(Term.substitute(t, first), second)).toEqual(
          Term.substitute(t, (name) =>
            Term.substitute<"x" | "y", "y">(first[name], (inner) => second[inner]),
          ),
        )
      }),
    )
  })

  it("are totally ordered, and share a key exactly when equal", () => {
    let equal = 0
    fc.assert(
      fc.property(smallTerm, smallTerm, smallTerm, (a, b, c) => {
        const ab = Term.Ord.compare(a, b)
        expect(Term.Ord.compare(b, a)).toBe(-ab || 0)
        expect(Term.equals(a, b)).toBe(ab === 0)
        expect(Term.key(a) === Term.key(b)).toBe(ab === 0)
        if (ab === 0) expect(a).toEqual(b)
        if (ab <= 0 && Term.Ord.compare(b, c) <= 0) expect(Term.Ord.compare(a, c)).toBeLessThanOrEqual(0)
        equal += ab === 0 ? 1 : 0
      }),
      { numRuns: 2000 },
    )
    expect(equal).toBeGreaterThan(20)
  })

  it("expand to primitives", () => {
    const isProtected = /\((?:psqrt|plog|pexp|pinv|pdiv) /
    fc.assert(
      fc.property(term, (t) => {
        expect(Term.key(Term.expand(t))).not.toMatch(isProtected)
        expect(Term.variables(Term.expand(t))).toEqual(Term.variables(t))
      }),
    )
  })
})
