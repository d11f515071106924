/** Arrays of zeros that are cut from a few blocks, so that all arrays are zeroed together. */
export interface Memory {
  readonly take: (length: number) => Float64Array
  readonly clear: () => void
}

/** The length of a block, unless an array needs a longer one: 32 KiB. */
const blockLength = 4096

export const make = (): Memory => {
  const blocks: Array<Float64Array> = []
  let used = 0
  return {
    take: (length) => {
      const last = blocks.at(-1)
      if (last === undefined || used + length > last.length) {
        blocks.push(new Float64Array(Math.max(blockLength, length)))
        used = 0
      }
      used += length
      return blocks.at(-1)!.subarray(used - length, used)
    },
    clear: () => {
      for (let i = 0; i < blocks.length; i++) {
        const block = blocks[i]!
        block.fill(0, 0, i === blocks.length - 1 ? used : block.length)
      }
    },
  }
}
