import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Progress from "../report/Progress.ts"
import * as Table from "../report/Table.ts"
import type { Diagram } from "../testing/calibration.ts"
import type { Simulated } from "../testing/simulation.ts"
import { Complaint } from "./Complaint.ts"
import { present, whole } from "./Flags.ts"
import { Screen } from "./Screen.ts"

const parameters = {
  count: whole("count", "N", "The number of laws that are drawn and fitted (default 20)", 1, 1_000_000).pipe(
    Flag.withDefault(20),
  ),
  effort: whole(
    "effort",
    "N",
    "Ensembles scored for each fit (default 300000)",
    1,
    Number.MAX_SAFE_INTEGER,
  ).pipe(Flag.withDefault(300_000)),
  seed: whole("seed", "SEED", "Seed of the first simulation (default 0)", 0, Number.MAX_SAFE_INTEGER).pipe(
    Flag.withDefault(0),
  ),
  json: present("json", "Print one JSON document with all simulations instead of the table"),
} as const

/** `vasst calibrate`: stated probabilities against truth, on data whose laws are drawn from the prior. */
export const calibrateCommand = Command.make("calibrate", parameters, ({ count, effort, seed, json }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const [Simulation, Calibration] = yield* Effect.promise(() =>
      Promise.all([import("../testing/simulation.ts"), import("../testing/calibration.ts")]),
    )
    const width = screen.columns.err
    const line = width === undefined ? undefined : Progress.line({ write: screen.err, columns: width })
    const found: Array<Simulated> = []
    for (let one = 0; one < count; one++) {
      line?.update({ seconds: one, due: true, text: () => `${one} of ${count} laws fitted` })
      const { best: _best, ...simulated } = yield* Simulation.simulate({ seed: seed + one, effort }).pipe(
        Effect.mapError(({ message }) => new Complaint({ message })),
      )
      found.push(simulated)
    }
    line?.clear()
    const diagram = Calibration.diagram(found.flatMap(({ answers }) => answers.slice(0, 1)))
    const places = found.flatMap(({ numbers }) => numbers)
    const intervals = Calibration.levels.map((level) => ({
      level,
      share: Calibration.coverage(places, level).share,
    }))
    screen.out(
      json
        ? `${JSON.stringify({ diagram, simulations: found })}\n`
        : text(diagram, { count: places.length, intervals }),
    )
  }),
).pipe(
  Command.withDescription(
    "Compare stated probabilities with how often they are right, on data whose laws are drawn from the prior",
  ),
  Command.withExamples([
    {
      command: "vasst calibrate --count 5",
      description: "Five laws drawn from the prior, fitted and compared",
    },
  ]),
)

const share = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(2))

/** The fitted numbers of laws that were found, and how often their intervals hold the true ones. */
interface Numbers {
  readonly count: number
  readonly intervals: ReadonlyArray<{ readonly level: number; readonly share: number }>
}

const text = ({ bins, count, error, sure, sureWrong }: Diagram, numbers: Numbers): string =>
  [
    ...Table.render(
      [
        { title: "stated", align: "left" },
        { title: "laws", align: "right" },
        { title: "mean", align: "right" },
        { title: "right", align: "right" },
        { title: "95 % interval", align: "left" },
      ],
      bins.map(({ low, high, count: own, stated, right, interval: [least, most] }) => [
        `${low.toFixed(1)} to ${high.toFixed(1)}`,
        String(own),
        share(stated),
        share(right),
        own === 0 ? "-" : `${share(least)} to ${share(most)}`,
      ]),
    ),
    "",
    `expected calibration error ${error.toFixed(3)}, of ${count} laws; stated above 0.99: ${sure}, of which ${sureWrong} wrong`,
    ...(numbers.count === 0
      ? []
      : [
          `true numbers of laws that were found, ${numbers.count}: ${numbers.intervals
            .map(({ level, share: held }) => `${(100 * held).toFixed(0)} % inside of ${100 * level} %`)
            .join(", ")}`,
        ]),
    "",
  ].join("\n")
