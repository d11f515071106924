/** The messages about a restart of a search, as the tables of the queue have them: its options and data, and the laws that it has found. */
import * as Schema from "effect/Schema"
import { names as kinds } from "../evidence/Noise.ts"
import * as Operator from "../expr/Operator.ts"
import type * as Law from "../models/law.ts"
import type { Tree } from "../prob/Tree.ts"
import type { Report } from "../search/Ahead.ts"
import * as TermSchema from "./TermSchema.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Positive = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

const subtree = Schema.suspend((): Schema.Codec<Tree> => HardTree)
const HardTree: Schema.Codec<Tree> = Schema.Union([
  Schema.Struct({
    _tag: Schema.Literal("Leaf"),
    terminal: Count,
    value: Schema.optionalKey(Schema.Number),
  }),
  Schema.Struct({
    _tag: Schema.Literal("Branch"),
    operator: Count,
    children: Schema.Array(subtree),
  }),
])

const Ensemble = { link: Count, trees: Schema.Array(HardTree) }

const shipped = Schema.String.pipe(
  Schema.refine((name): name is Operator.ShippedName => Object.hasOwn(Operator.shipped, name), {
    expected: "the name of an operator that ships",
  }),
)

const Operators = Schema.Array(
  Schema.Union([
    shipped,
    Schema.Struct({
      name: Schema.String,
      arity: Schema.Literals([1, 2]),
      term: TermSchema.OfArguments,
      commutative: Schema.Boolean,
      complexity: Schema.Number,
      number: Schema.optional(Schema.Literal("y")),
    }),
  ]),
)

const Link = Schema.Struct({
  name: Schema.String,
  forward: TermSchema.over(Schema.Literal("y")),
  derivative: TermSchema.over(Schema.Literal("y")),
  inverse: Schema.Array(TermSchema.over(Schema.Literal("z"))),
  complexity: Schema.Number,
})

const Unit = Schema.Struct({
  powers: Schema.Record(Schema.String, Schema.Finite),
  logFactor: Schema.Number,
})

const Units = Schema.Struct({
  columns: Schema.Record(Schema.String, Unit),
  numbers: Schema.Literals(["free", "dimensionless", "either"]),
  target: Schema.optional(Schema.String),
})

const Kind = Schema.Literals(kinds)

const Settings = Schema.Struct({
  library: Schema.optionalKey(Positive),
  patience: Schema.optionalKey(Schema.Number),
  rows: Schema.optionalKey(Positive),
  begin: Schema.optionalKey(Schema.Array(Schema.Struct(Ensemble))),
  restarts: Schema.optionalKey(Schema.Boolean),
  // Functions.
  moves: Schema.optionalKey(Schema.Never),
})

/** What no command of `vasst` posts: functions, and settings of the library alone. */
const absent = Schema.optional(Schema.Never)

/** The options of the search, those of `Law.fit` that `vasst fit` has. Every option is told of here. */
const options = {
  operators: Schema.optional(Operators),
  constants: Schema.optional(Schema.Array(Schema.Finite)),
  fitted: Schema.optional(Schema.Literal("none")),
  trees: Schema.optional(Positive),
  depth: Schema.optional(Positive),
  links: Schema.optional(Schema.Array(Link)),
  units: Schema.optional(Units),
  noise: Schema.optional(Schema.Union([Kind, Schema.Array(Kind)])),
  error: Schema.optional(Schema.String),
  weights: Schema.optional(Schema.String),
  testFraction: Schema.optional(Schema.Finite),
  time: Schema.optional(Schema.Number),
  spent: Schema.optional(Schema.Number),
  effort: Schema.optional(Schema.Number),
  steps: Schema.optional(Schema.Number),
  workers: Schema.optional(Positive),
  start: Schema.optional(Schema.String),
  search: Schema.optional(Settings),
  grammar: absent,
  restrictions: absent,
  likelihood: absent,
  known: absent,
} satisfies { readonly [K in keyof Law.Options]-?: Schema.Top }

/** What the restarts of a search share: its options, and its data, which are looked at as those of any job are. */
export const Shared = Schema.Struct({ spec: Schema.Struct(options), data: Schema.Unknown })

/** The steps of a restart and the ensembles that it has found. */
export const Made: Schema.Codec<Report> = Schema.Struct({
  infos: Schema.Array(
    Schema.Struct({
      objective: Schema.Number,
      logEvidence: Schema.Number,
      scored: Count,
      rows: Count,
      converged: Schema.Boolean,
      unfinished: Schema.optional(Schema.Boolean),
    }),
  ),
  outcome: Schema.Struct({
    ensembles: Schema.Array(
      Schema.Struct({
        ...Ensemble,
        score: Schema.Number,
        found: Count,
        key: Schema.String,
        stays: Schema.Boolean,
      }),
    ),
    scored: Count,
    best: Schema.Number,
    logEvidence: Schema.Number,
    form: Schema.String,
    exact: Schema.Boolean,
    exhausted: Schema.Number,
    rows: Count,
    most: Count,
  }),
  ended: Schema.Boolean,
})
