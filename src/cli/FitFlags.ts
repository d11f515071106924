import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Link from "../prob/Link.ts"
import * as AppearanceFlags from "./AppearanceFlags.ts"
import * as Together from "./batch/Together.ts"
import * as Tables from "./input/Input.ts"
import * as Streamed from "./input/Streamed.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"
import * as Rows from "./rows/Rows.ts"
import * as NoiseFlags from "./NoiseFlags.ts"
import * as RunFlags from "./RunFlags.ts"
import * as TemplateFlags from "./TemplateFlags.ts"
import * as UnitsFlags from "./UnitsFlags.ts"
import { backends, objectives } from "./Fitter.ts"
import {
  decimal,
  known,
  names,
  number,
  numbers,
  optional,
  path,
  positive,
  present,
  size,
  text,
  whole,
} from "./Flags.ts"

const links = known(
  names(
    "links",
    "NAMES",
    "Functions of the target that may be a sum of terms, the likeliest first: " +
      `${Link.shipped.map(({ name }) => name).join(",")} (default all of them)`,
  ),
  "link",
  Object.fromEntries(Link.shipped.map((link) => [link.name, link])),
)

const constants = numbers(
  "constants",
  "NUMBERS",
  "Numbers that laws may use beside coefficients, pi among them, or none (default 1,2,pi)",
  "numbers or pi",
  (part) => (part === "pi" ? Math.PI : decimal(part)),
)

/** The arguments and flags of `vasst fit`. */
export const parameters = {
  ...Tables.parameters,
  ...Streamed.parameters,
  target: optional(text("target", "NAME", "The column to explain (required)")),
  features: optional(
    names(
      "features",
      "NAMES",
      "The columns to explain it by, with commas between them (default: every other column)",
    ),
  ),
  ...OwnOperators.parameters,
  constants: optional(constants),
  fitted: optional(
    number(
      "learned",
      "SIZE",
      "How large numbers inside of terms are, such as the 0.83 of exp(0.83*t): the standard deviation of their prior, or 0 for laws without (default of any size)",
      "0 or a number greater than 0",
      (value) => value >= 0,
    ),
  ),
  links: optional(links),
  ...NoiseFlags.parameters,
  ...Rows.parameters,
  ...Rows.testParameters,
  group: optional(
    text(
      "group",
      "COLUMN",
      "The column with the names of groups: one law for all groups, of whose numbers some are shared and some each group's own (default none: rows of one kind)",
    ),
  ),
  start: optional(
    text(
      "start",
      "FORMULA",
      "A formula that the search begins with, such as 'a*exp(-b*t)': its terms are among the first to be improved (default none)",
    ),
  ),
  ...TemplateFlags.parameters,
  ...UnitsFlags.parameters,
  ...AppearanceFlags.parameters,
  trees: optional(
    whole(
      "trees",
      "K",
      "The most terms of a law beside the intercept; with --objective elbo that many (default 3)",
      1,
      50,
    ),
  ),
  depth: optional(
    whole("depth", "D", "Greatest depth of a term's tree (default 7; with --objective elbo 3)", 1, 10),
  ),
  time: optional(
    number(
      "time",
      "SECONDS",
      "Stop after this time in seconds, the ranking of the laws found included (default 60; with --objective elbo no limit)",
      "a number of seconds greater than 0",
      (value) => value > 0,
    ),
  ),
  memory: optional(
    size(
      "memory",
      "SIZE",
      "The most resident memory of the process, such as 500MB or 2GB: tables are read in parts, threads left out and the search ended to keep it (default no limit)",
    ),
  ),
  effort: optional(
    whole(
      "effort",
      "N",
      "Stop after N ensembles scored, for the same result on every machine (default no limit; without --time there is no limit of time then)",
      1,
      Number.MAX_SAFE_INTEGER,
    ),
  ),
  workers: optional(
    whole(
      "workers",
      "N",
      "Threads of the search; without --time they do not change its result (default one for each core)",
      1,
      1024,
    ),
  ),
  ...Together.parameters,
  testFraction: optional(
    number(
      "test-fraction",
      "FRACTION",
      "Part of the rows set aside to test the laws on (default 0; with --objective elbo 0.1)",
      "a number of at least 0 and less than 1",
      (value) => value >= 0 && value < 1,
    ),
  ),
  seed: optional(
    whole(
      "seed",
      "SEED",
      "Seed of the random numbers: the same seed gives the same result (default 0)",
      0,
      Number.MAX_SAFE_INTEGER,
    ),
  ),
  objective: Flag.Literals("objective", objectives).pipe(
    Flag.withDescription(
      "How laws are found: inclusive searches hard trees, elbo trains soft trees as the paper does (default inclusive)",
    ),
    Flag.withDefault("inclusive"),
  ),
  steps: optional(
    whole(
      "steps",
      "T",
      "With --objective elbo: steps of variational inference; 0 ranks draws from the untrained start (default 2000)",
      0,
      Number.MAX_SAFE_INTEGER,
    ),
  ),
  draws: optional(
    whole("draws", "H", "With --objective elbo: models to draw and rank (default 2000)", 1, 10_000_000),
  ),
  learningRate: optional(
    positive("learning-rate", "RATE", "With --objective elbo: step size of the optimiser (default 5e-5)"),
  ),
  backend: optional(
    Flag.Literals("backend", backends).pipe(
      Flag.withDescription("With --objective elbo: the backend of the tensors (default auto)"),
    ),
  ),
  out: optional(
    path(
      "out",
      "DIR",
      "Write fit.json, models.csv, report.txt and record.json into this directory (default none)",
    ),
  ),
  ...RunFlags.parameters,
  report: optional(
    path(
      "report",
      "FILE",
      "Write a page of HTML about the laws to this file, for any browser, without a network (default none)",
    ),
  ),
  overwrite: present(
    "overwrite",
    "Replace the files of another fit in the directory of --out or --run, and any file of --report",
  ),
  json: present("json", "Print one JSON document instead of the table"),
} as const

/** The values of the arguments and flags of `vasst fit`. */
export type Input = Command.Command.Config.Infer<typeof parameters>
