/** The system's codes of failures, in plain words. */
const codes: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "no space left on the device"],
  ["EISDIR", "there is a directory of this name"],
  ["ENOTDIR", "a part of this path is a file, not a directory"],
  ["EROFS", "the file system cannot be written to"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open on this machine"],
  ["EDQUOT", "the quota of the disk is used up"],
  ["EFBIG", "the file would be larger than the file system, or a limit, allows"],
  ["EBADF", "it is closed"],
  ["EBUSY", "another program uses it"],
  ["EPERM", "the system does not allow this"],
  ["ELOOP", "its symbolic links lead in a circle"],
  ["EIO", "the device does not answer"],
  ["ESTALE", "the disk of another machine does not have it any more"],
  ["EAGAIN", "nothing can be read here now"],
  ["ENXIO", "there is no such device"],
  ["EINVAL", "this cannot be done with such a file"],
])

/** The failure of the system behind one of a service of files, whose reasons of either kind may have it. */
export const causeOf = ({ reason }: { readonly reason: { readonly cause?: unknown } }): unknown =>
  reason.cause

/** What a failure of the system says in plain words, with its code where there are none for it; undefined where it has no code. */
export const reasonOf = (failure: unknown): string | undefined =>
  typeof failure === "object" && failure !== null && "code" in failure && typeof failure.code === "string"
    ? (codes.get(failure.code) ?? `the system cannot do this, and says ${failure.code}`)
    : undefined
