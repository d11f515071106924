import { fileURLToPath } from "node:url"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { meant } from "../internal/nearest.ts"
import * as Table from "../report/Table.ts"
import { Complaint } from "./Complaint.ts"
import { fitCommand } from "./FitCommand.ts"
import { lines, Screen } from "./Screen.ts"

/** A data set that comes with the package. */
interface Demo {
  readonly file: string
  readonly about: ReadonlyArray<string>
  readonly law: string
  readonly flags: ReadonlyArray<string>
}

/** The data sets of `examples/data`, whose page says where they are from. */
const demos: ReadonlyMap<string, Demo> = new Map([
  [
    "planets",
    {
      file: "planets.csv",
      about: [
        "Nine bodies of the solar system, by NASA's fact sheets: semi-major axis (in that of the Earth), period (in years),",
        "eccentricity, mass and radius. Which law has the period?",
      ],
      law: "Kepler's third law: period = semi_major_axis^1.5",
      flags: ["--target", "period"],
    },
  ],
  [
    "boyle",
    {
      file: "boyle.csv",
      about: [
        "Robert Boyle's table of 1662: the volume of air shut in a bent glass tube, and its pressure in sixteenths of an inch",
        "of mercury. Which law has the pressure?",
      ],
      law: "Boyle's law: pressure = constant/volume",
      flags: ["--target", "pressure"],
    },
  ],
])

/** The path of a table of the package: this file is two levels below its root, in the sources and in the bundle. */
const pathOf = ({ file }: Demo): string =>
  fileURLToPath(new URL(`../../examples/data/${file}`, import.meta.url))

/** A word of a command as a shell takes it. */
const word = (text: string): string =>
  /^[\w./:=,@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** `vasst demo NAME`: a fit of a data set that comes with the package. */
export const demoCommand = Command.make(
  "demo",
  {
    name: Argument.String("NAME").pipe(
      Argument.withDescription(`The data set: ${[...demos.keys()].join(" or ")} (default: a list of them)`),
      Argument.optional,
    ),
  },
  ({ name }) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      if (Option.isNone(name)) {
        const table = Table.render(
          [
            { title: "demo", align: "left" },
            { title: "law", align: "left" },
            { title: "table", align: "left" },
          ],
          Array.from(demos, ([own, demo]) => [own, demo.law, pathOf(demo)]),
        )
        screen.out(lines([...table, "", `run one of them: vasst demo ${[...demos.keys()][0]}`]))
        return undefined
      }
      const demo = demos.get(name.value)
      if (demo === undefined) {
        const all = [...demos.keys()]
        return yield* new Complaint({
          message: `there is no demo ${JSON.stringify(name.value)}${meant(name.value, all, { quote: String, otherwise: ";" })} the demos are: ${all.join(", ")}`,
        })
      }
      const args = [pathOf(demo), ...demo.flags]
      screen.out(
        lines([...demo.about, `Known as ${demo.law}`, "", `$ vasst fit ${args.map(word).join(" ")}`, ""]),
      )
      // The same command as a user's: it reads the table and says what it says.
      return yield* Command.runWith(fitCommand, { version: "" })(args)
    }),
).pipe(
  Command.withDescription("Find the law of a table that comes with vasst; without a name, list these tables"),
  Command.withExamples([
    { command: "vasst demo planets", description: "Kepler's third law, with the command that finds it" },
  ]),
)
