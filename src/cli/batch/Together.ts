/** A fit whose restarts are made by the workers of a database. */
import * as Effect from "effect/Effect"
import { Starter } from "../../workers/Connection.ts"
import { Complaint } from "../Complaint.ts"
import type { Settings } from "../Fitter.ts"
import { present } from "../Flags.ts"
import { Invocation } from "../Invocation.ts"
import * as DatabaseFlags from "./DatabaseFlags.ts"

/** The flags of `vasst fit` about workers elsewhere. */
export const parameters = {
  cluster: present(
    "cluster",
    "The workers of --database-url (vasst worker) make restarts of the search, too, as many as --workers says; without --time the result is that of one machine",
  ),
  databaseUrl: DatabaseFlags.optionalAddress,
} as const

/** Lends the workers of a database to a fit, where its settings ask for them. */
export const fit = <A, E, R>(
  name: string,
  { cluster, ...alone }: Settings,
  use: (settings: Settings) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    if (cluster === undefined) return yield* use(alone)
    if (alone.objective !== "inclusive" || alone.group !== undefined)
      return yield* new Complaint({
        message: `--cluster is for restarts of one search; leave it out with ${alone.objective === "elbo" ? "--objective elbo" : "--group"}`,
      })
    const { version } = yield* Invocation
    const { queue } = yield* DatabaseFlags.open(yield* DatabaseFlags.required(cluster.url))
    const { starter } = yield* Effect.promise(() => import("../../jobs/Cluster.ts"))
    return yield* Effect.provideService(use(alone), Starter, starter(queue, { name, version }))
  }).pipe(Effect.scoped)
