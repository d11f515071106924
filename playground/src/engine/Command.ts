import * as Csv from "vasst/data/Csv"
import type { Settings } from "../Settings.ts"

const names = (list: ReadonlyArray<string>): string => Csv.format([list]).trim()

/** The arguments of the command line for the same fit; units are those of the header alone. */
export const of = (file: string, settings: Settings): ReadonlyArray<string> => {
  const { target, features, error, weights, group, operators, time, effort, seed } = settings
  const { noise, contains, without, size } = settings
  const flag = (name: string, value: string | number | undefined): ReadonlyArray<string> =>
    value === undefined ? [] : [`--${name}`, String(value)]
  return [
    "fit",
    file,
    ...flag("target", target),
    ...flag("features", names(features)),
    ...flag("error", error),
    ...flag("weights", weights),
    ...flag("group", group),
    ...flag("noise", noise),
    ...(contains.length === 0 ? [] : flag("contains", names(contains))),
    ...(without.length === 0 ? [] : flag("without", names(without))),
    ...flag("size", size),
    ...flag("operators", operators?.join(",")),
    ...(effort === undefined ? flag("time", time) : flag("effort", effort)),
    ...(seed === 0 ? [] : flag("seed", seed)),
  ]
}
