import * as Effect from "effect/Effect"
import * as Noise from "../evidence/Noise.ts"
import * as AppearanceFlags from "./AppearanceFlags.ts"
import { Complaint } from "./Complaint.ts"
import type { Input } from "./FitFlags.ts"
import type { Common, Settings, Templated } from "./Fitter.ts"
import type * as OwnOperators from "./rows/OwnOperators.ts"
import type * as TemplateFlags from "./TemplateFlags.ts"

/** The flags that only one objective knows. */
const own = {
  inclusive: {
    effort: "--effort",
    workers: "--workers",
    links: "--links",
    constants: "--constants",
    fitted: "--learned",
    noise: "--noise",
    error: "--error",
    weights: "--weights",
    group: "--group",
    start: "--start",
    units: "--units",
    numbers: "--numbers",
    ...AppearanceFlags.written,
  },
  elbo: { steps: "--steps", draws: "--draws", learningRate: "--learning-rate", backend: "--backend" },
} as const

const given = <K extends keyof Input>(input: Input, flags: Readonly<Record<K, string>>): string | undefined =>
  // `flags` has keys of the input alone.
  Object.entries<string>(flags).find(([name]) => name in input && input[name as K] !== undefined)?.[1]

/** The flags that laws of a template do not know. */
const unformed = {
  ...own.elbo,
  features: "--features",
  links: "--links",
  group: "--group",
  start: "--start",
  units: "--units",
  numbers: "--numbers",
  workers: "--workers",
  testFraction: "--test-fraction",
  testColumn: "--test-column",
  ...AppearanceFlags.written,
} as const

/**
 * Which fit is asked for, with which settings.
 *
 * @param form the template, where one is asked for
 * @errors Complaint about a flag that belongs to another objective, or that no template has
 */
export const settings = (
  input: Input,
  { operators, own: added }: OwnOperators.Operators,
  form: TemplateFlags.Form | undefined,
): Effect.Effect<Settings, Complaint> => {
  const { trees, depth, time, testFraction, seed } = input
  if (input.testColumn !== undefined && testFraction !== undefined)
    return complain("--test-column and --test-fraction both say which rows test the laws; leave one out")
  if (input.databaseUrl !== undefined && !input.cluster)
    return complain("--database-url is for --cluster; add that, or leave it out")
  const common = {
    ...(input.cluster && { cluster: { url: input.databaseUrl } }),
    operators,
    ...(added.length > 0 && { own: added }),
    trees,
    depth,
    time,
    testFraction,
    seed,
  }
  if (form !== undefined) return Effect.map(ofTemplate(input, form), (own) => ({ ...common, ...own }))
  if (input.objective === "inclusive") {
    const flag = given(input, own.elbo)
    if (flag !== undefined) return complain(`${flag} is for --objective elbo; add that, or leave ${flag} out`)
    return Effect.succeed({
      ...common,
      objective: "inclusive",
      effort: input.effort,
      workers: input.workers,
      links: input.links,
      constants: input.constants,
      fitted: input.fitted,
      noise: input.noise,
      error: input.error,
      weights: input.weights,
      group: input.group,
      start: input.start,
      appearance: AppearanceFlags.of(input),
    })
  }
  const flag = given(input, own.inclusive)
  if (flag !== undefined)
    return complain(
      `${flag} is for --objective inclusive, the default; leave --objective elbo or ${flag} out`,
    )
  const { steps, draws, learningRate, backend } = input
  return Effect.succeed({ ...common, objective: "elbo", steps, draws, learningRate, backend })
}

const complain = (message: string): Effect.Effect<never, Complaint> => Effect.fail(new Complaint({ message }))

/** The settings of a fit of a template. */
const ofTemplate = (
  input: Input,
  form: TemplateFlags.Form,
): Effect.Effect<Omit<Templated, keyof Common> & Pick<Templated, "cluster">, Complaint> => {
  const other =
    input.objective === "elbo" ? "--objective elbo" : input.cluster ? "--cluster" : given(input, unformed)
  if (other !== undefined)
    return complain(`${other} is for laws of unknown form; leave it out, or --template`)
  const kind = input.noise?.find((one) => !Noise.isPlain(Noise.named(one)))
  if (kind !== undefined)
    return complain(
      `laws of a template have additive noise, and not --noise ${kind}; leave --noise out, or --template`,
    )
  const { effort, constants, fitted } = input
  return Effect.succeed({ objective: "template", form, effort, constants, fitted })
}
