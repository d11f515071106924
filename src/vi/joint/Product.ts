import * as Joint from "../../prob/Joint.ts"
import * as Rng from "../../random/Rng.ts"

/** Slots of several distributions one after the other: those of each, in order. */
export const slotsOf = <A>(
  joints: ReadonlyArray<Joint.Joint>,
  slots: ReadonlyArray<A>,
): ReadonlyArray<ReadonlyArray<A>> => {
  let from = 0
  return joints.map(({ parameters }) => slots.slice(from, (from += parameters.length)))
}

/** A member of all distributions, or undefined where one of them lacks it. */
export const allOf = <N extends "logDensity" | "score" | "project">(
  joints: ReadonlyArray<Joint.Joint>,
  name: N,
): ReadonlyArray<NonNullable<Joint.Joint[N]>> | undefined => {
  const found = joints.flatMap((joint) => {
    const member = joint[name]
    return member === undefined ? [] : [member]
  })
  return found.length === joints.length ? found : undefined
}

/** Independent distributions as one. The slots are those of its parts, with the keys of the parts before their names. */
export const product = (joints: ReadonlyArray<Joint.Joint>): Joint.Joint => {
  const densities = allOf(joints, "logDensity")
  const scores = allOf(joints, "score")
  const projections = allOf(joints, "project")
  return {
    name: `Product(${joints.map(({ name }) => name).join(", ")})`,
    sites: joints.flatMap(({ sites }) => sites),
    parameters: joints.flatMap((joint) =>
      joint.parameters.map((slot) => ({ ...slot, name: `${Joint.keyOf(joint)}.${slot.name}` })),
    ),
    sample: (key, parameters, count) => {
      const own = slotsOf(joints, parameters)
      return new Map(
        joints.flatMap((joint, i) => [...joint.sample(Rng.fold(key, Joint.keyOf(joint)), own[i]!, count)]),
      )
    },
    logDensity:
      densities &&
      ((parameters, values) => {
        const own = slotsOf(joints, parameters)
        const [first, ...rest] = densities.map((logDensity, i) => logDensity(own[i]!, values))
        for (const other of rest) other.forEach((log, h) => (first![h]! += log))
        return first!
      }),
    score:
      scores &&
      ((parameters, values, weights) => {
        const own = slotsOf(joints, parameters)
        return scores.flatMap((score, i) => score(own[i]!, values, weights))
      }),
    project:
      projections &&
      ((parameters, draws, rate) => {
        const own = slotsOf(joints, parameters)
        return projections.flatMap((project, i) => project(own[i]!, draws, rate))
      }),
  }
}
