/** A worker of the engine, which makes restarts ahead of it. */
import { restarts } from "vasst/models/lawRestarts"
import * as WebWorkers from "vasst/workers/WebWorkers"

WebWorkers.serve(restarts)
