import { room } from "./Room.ts"

/**
 * Which nodes have a column in memory: slots of whole columns, of which those not used for long are given to others
 * (CLOCK, the second-chance approximation of least recently used), and slots of blocks that last for one batch.
 * What a batch uses stays until the batch is over.
 */
export interface Columns {
  /** Starts the next batch, over a graph of `nodes` nodes. */
  readonly next: (nodes: number) => void
  /** A node's slot in this batch: positive for a column, negative for a block, 0 for none. Marks it as used. */
  readonly find: (id: number) => number
  /** A slot for a node that has none, as `find` would then give it; 0 when all are in use by this batch. */
  readonly claim: (id: number) => number
  /** Forgets all nodes: what their slots hold was not computed. */
  readonly clear: () => void
  /** Forgets the nodes from a number on. */
  readonly forget: (from: number) => void
}

/** Slots of columns are 1, ..., `columns`; those of blocks -1, ..., -`blocks`. */
export const make = (columns: number, blocks: number): Columns => {
  let slots = new Int32Array(1024)
  // No node from this number on has a slot.
  let known = 0
  const holder = new Int32Array(columns + 1).fill(-1)
  const recent = new Uint8Array(columns + 1)
  const pinned = new Int32Array(columns + 1)
  const local = new Int32Array(blocks)
  // Slots that were given back: the latest first, since its memory is still in the processor's cache.
  const spare = new Int32Array(columns)
  let spares = 0
  let locals = 0
  let batch = 0
  let hand = 0
  let full = false

  const use = (slot: number): number => {
    recent[slot] = 1
    pinned[slot] = batch
    return slot
  }

  /** A slot that this batch does not use. Twice around: the first time may only take second chances away. */
  const free = (): number => {
    while (spares > 0) {
      const slot = spare[--spares]!
      if (holder[slot] === -1) return slot
    }
    if (full) return 0
    for (let steps = 2 * columns; steps > 0; steps--) {
      hand = hand < columns ? hand + 1 : 1
      if (pinned[hand] === batch) continue
      if (recent[hand] === 0) return hand
      recent[hand] = 0
    }
    full = true
    return 0
  }

  return {
    next: (nodes) => {
      for (let i = 0; i < locals; i++) slots[local[i]!] = 0
      locals = 0
      full = false
      batch++
      slots = room(Int32Array, slots, nodes)
      known = Math.max(known, nodes)
    },
    find: (id) => {
      const slot = slots[id]!
      return slot > 0 ? use(slot) : slot
    },
    claim: (id) => {
      const slot = free()
      if (slot > 0) {
        const before = holder[slot]!
        if (before >= 0) slots[before] = 0
        holder[slot] = id
        slots[id] = slot
        return use(slot)
      }
      if (locals === blocks) return 0
      local[locals++] = id
      slots[id] = -locals
      return -locals
    },
    forget: (from) => {
      for (let id = from; id < known; id++) {
        const slot = slots[id]!
        if (slot <= 0) continue
        slots[id] = 0
        holder[slot] = -1
        recent[slot] = 0
        if (spares < spare.length) spare[spares++] = slot
      }
      known = Math.min(known, from)
    },
    clear: () => {
      slots.fill(0)
      holder.fill(-1)
      recent.fill(0)
      locals = spares = 0
    },
  }
}
