import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * States that cannot be kept, or that were kept and cannot be read: a disk that is full, a folder that another process uses, bytes that
 * are damaged. The message names the place and the remedy.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", { message: Schema.String }) {}

/** What a store has. */
export interface Found {
  /** the bytes last written under each name that are undamaged */
  readonly latest: ReadonlyMap<string, Uint8Array>
  /** of names of which some bytes are damaged, so that those written before or after them count */
  readonly damaged: ReadonlyArray<StoreError>
}

/**
 * A place for bytes that lasts longer than the process.
 *
 * *When to use*: implement it to keep states elsewhere, such as in a data base; `FileStore.open` keeps them in a folder.
 */
export interface Store {
  /** The bytes last written under each name. Fails when all bytes of a name are damaged. */
  readonly read: Effect.Effect<Found, StoreError>
  /** Replaces the bytes of a name: all of them are there, or those before, whenever the process ends. */
  readonly write: (name: string, bytes: Uint8Array) => Effect.Effect<void, StoreError>
}
