import * as Csv from "vasst/data/Csv"
import type { Settings } from "../Settings.ts"

const names = (list: ReadonlyArray<string>): string => Csv.format([list]).trim()

/** The arguments of the command line for the same fit; units are those of the header alone. */
export const of = (file: string, settings: Settings): ReadonlyArray<string> => {
  const { target, features, error, weights, operators, time, effort, seed } = settings
  const flag = (name: string, value: string | number | undefined): ReadonlyArray<string> =>
    value === undefined ? [] : [`--${name}`, String(value)]
  return [
    "fit",
    file,
    ...flag("target", target),
    ...flag("features", names(features)),
    ...flag("error", error),
    ...flag("weights", weights),
    ...flag("operators", operators?.join(",")),
    ...(effort === undefined ? flag("time", time) : flag("effort", effort)),
    ...(seed === 0 ? [] : flag("seed", seed)),
  ]
}
