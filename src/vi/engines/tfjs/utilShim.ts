/**
 * The type predicates that Node's `util` module had until Node 22, restored.
 *
 * @since 0.1.0
 */
import util from "node:util"

const predicates = {
  isArray: (value: unknown) => Array.isArray(value),
  isBoolean: (value: unknown) => typeof value === "boolean",
  isFunction: (value: unknown) => typeof value === "function",
  isNull: (value: unknown) => value === null,
  isNullOrUndefined: (value: unknown) => value === null || value === undefined,
  isNumber: (value: unknown) => typeof value === "number",
  isObject: (value: unknown) => typeof value === "object" && value !== null,
  isString: (value: unknown) => typeof value === "string",
  isSymbol: (value: unknown) => typeof value === "symbol",
  isUndefined: (value: unknown) => value === undefined,
} satisfies Record<string, (value: unknown) => boolean>

/**
 * Puts the removed predicates back on the `util` module.
 *
 * **When to use**
 *
 * Before loading `@tensorflow/tfjs-node`, which calls `util.isArray` and `util.isNullOrUndefined` in its
 * kernels: without it every `tensorflow` operation throws a `TypeError` on Node 23 and later.
 *
 * **Details**
 *
 * Idempotent. Replaces the functions where Node still has them too: the meaning is the same, and Node 22 would
 * print a deprecation warning at the first call.
 *
 * @category interop
 * @since 0.1.0
 */
export const installUtilShim = (): void => {
  // The default import is the very object that `require("util")` gives to tfjs-node; the namespace is frozen.
  Object.assign(util, predicates)
}
