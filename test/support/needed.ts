// What tests need of the machine. Where it is missing they are skipped; with VASST_CI=1 they fail, so that a run that is to show all shows it.

/** Root, which a run may not have although everything is installed. */
export const root = "root rights"

/**
 * Whether a test is skipped. The reporter says how many tests are skipped, and not why: this says why.
 *
 * @param tests what is skipped
 * @param missing what the machine lacks; undefined where it lacks nothing
 * @throws Error with VASST_CI=1, unless root rights are missing
 */
export const skipped = (tests: string, missing: string | undefined, env = process.env): boolean => {
  if (missing === undefined) return false
  if (env["VASST_CI"] === "1" && missing !== root)
    throw new Error(`${tests} cannot run, and VASST_CI asks for all tests: there is no ${missing}`)
  console.warn(`${tests}: skipped, without ${missing}`)
  return true
}
