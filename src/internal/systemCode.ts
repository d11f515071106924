/** The system's codes of failures, in plain words. */
const codes: { readonly [code: string]: string } = {
  ENOSPC: "no space left on the device",
  EISDIR: "there is a directory of this name",
  ENOTDIR: "a part of this path is a file, not a directory",
  EROFS: "the file system cannot be written to",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
  EDQUOT: "the quota of the disk is used up",
  EBADF: "it is closed",
  ELOOP: "its symbolic links lead in a circle",
  EIO: "the device does not answer",
  EAGAIN: "nothing can be read here now",
  ENXIO: "there is no such device",
  EINVAL: "this cannot be done with such a file",
}

/** The failure of the system behind one of a service of files, whose reasons of either kind may have it. */
export const causeOf = ({ reason }: { readonly reason: { readonly cause?: unknown } }): unknown =>
  reason.cause

/** What a failure of the system says in plain words, or its code; undefined where it has none. */
export const reasonOf = (failure: unknown): string | undefined =>
  typeof failure === "object" && failure !== null && "code" in failure && typeof failure.code === "string"
    ? (codes[failure.code] ?? failure.code)
    : undefined
