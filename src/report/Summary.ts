/** A fit as text: the table of its models, the best law, and the words about it. */
import * as CutText from "./CutText.ts"
import * as GroupText from "./GroupText.ts"
import * as HoleText from "./HoleText.ts"
import { infix } from "../expr/text/infix.ts"
import * as KnownText from "./KnownText.ts"
import * as NumberText from "./NumberText.ts"
import * as NoiseText from "./NoiseText.ts"
import type { Term } from "../expr/Term.ts"
import type { Units } from "../expr/Unit.ts"
import * as UnitsText from "./UnitsText.ts"
import * as Table from "./Table.ts"
import * as UnseenText from "./UnseenText.ts"
import { visible } from "./VisibleText.ts"
import type { Fitted, Ranked } from "./Document.ts"

/** The fitted numbers of a law with their standard errors, and a line where it has no value on rows that were set aside. */
const numberLines = ({ numbers, rmseTest }: Ranked): ReadonlyArray<string> => [
  ...(numbers.length === 0 ? [] : [`numbers: ${numbers.map(NumberText.withError).join(", ")}`]),
  ...(rmseTest === undefined || Number.isFinite(rmseTest)
    ? []
    : ["test: the law has no finite value on some of the rows that were set aside"]),
]

/**
 * The ranked models for people: a table of the first `top`, then the best law on a line of its own.
 *
 * @param options.units those of the columns: the coefficients of the best law have theirs in a table below it
 * @param options.width the width of the terminal; formulas are cut to it, numbers are not
 */
export const of = (
  fitted: Fitted,
  target: string,
  options: { readonly top: number; readonly width?: number | undefined; readonly units?: Units | undefined },
): ReadonlyArray<string> => {
  const several = fitted.models.some(({ parts }) => (parts?.outputs.length ?? 1) > 1)
  const tested = fitted.models.some(({ rmseTest }) => rmseTest !== undefined)
  const rows = fitted.models
    .slice(0, options.top)
    .map((one, index) => [
      String(index + 1),
      one.lmpse.toFixed(2),
      Table.probability(one.probability ?? one.posterior),
      ...(several ? [] : [Table.significant(one.rmseTrain, 4), Table.significant(one.rmseLoo, 4)]),
      ...(tested ? [one.rmseTest === undefined ? "-" : Table.significant(one.rmseTest, 4)] : []),
      String(one.complexity),
      visible(
        one.parts !== undefined && several
          ? HoleText.line(one.parts, short)
          : NumberText.law(one.expression, one.numbers),
      ),
    ])
  const [best] = fitted.models
  return [
    ...Table.render(
      [
        { title: "rank", align: "right" },
        { title: "log posterior", align: "right" },
        { title: "probability", align: "right" },
        ...(several
          ? []
          : ([
              { title: "RMSE train", align: "right" },
              { title: "RMSE LOO", align: "right" },
            ] as const)),
        ...(tested ? [{ title: "RMSE test", align: "right" } as const] : []),
        { title: "complexity", align: "right" },
        { title: several ? "holes" : visible(target), align: "left", cut: true },
      ],
      rows,
      options.width,
    ),
    "",
    ...(best === undefined
      ? []
      : [
          ...(several
            ? []
            : [
                visible(`${target} = ${NumberText.law(best.expression, best.numbers)}`),
                ...numberLines(best),
              ]),
          ...(best.parts === undefined ? [] : HoleText.lines(best.parts, short).map(visible)),
        ]),
    ...KnownText.lines(best?.known),
    ...(best?.noise === undefined ? [] : NoiseText.lines(best.noise, target).map(visible)),
    ...(best?.groups === undefined ? [] : GroupText.lines(GroupText.groups(best.groups, false)).map(visible)),
    ...(fitted.unseen === undefined
      ? []
      : UnseenText.lines(fitted.unseen, fitted.stopReason, target, fitted.template && "of a hole").map(
          visible,
        )),
    ...(fitted.trained === undefined ? [] : CutText.lines(fitted.trained, fitted)),
    ...CutText.late(fitted, fitted.trained !== undefined),
    ...(best === undefined || options.units === undefined
      ? []
      : apart(UnitsText.lines(best, target, options.units).map(visible))),
  ]
}

const short = (term: Term): string => infix(term, { precision: 4 })

/** Lines below an empty one; nothing where there are none. */
const apart = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", ...lines]
