/** Binary opcodes by their names in the WebAssembly specification; those of SIMD follow the prefix 0xfd. */

/** Appends an unsigned LEB128. */
export const unsigned = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}

/** Appends a signed LEB128 of a 32-bit integer. */
export const signed = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let rest = value | 0
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

const simd = (code: number): ReadonlyArray<number> => [0xfd, ...unsigned(code)]

export type ValueType = "i32" | "f32" | "f64" | "v128"

export const typeByte: Readonly<Record<ValueType, number>> = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b }

/** Operations on values alone: [result, arguments, bytes]. */
const table = {
  "i32.eqz": ["i32", ["i32"], [0x45]],
  "i32.eq": ["i32", ["i32", "i32"], [0x46]],
  "i32.ne": ["i32", ["i32", "i32"], [0x47]],
  "i32.lt_u": ["i32", ["i32", "i32"], [0x49]],
  "i32.gt_u": ["i32", ["i32", "i32"], [0x4b]],
  "i32.le_u": ["i32", ["i32", "i32"], [0x4d]],
  "i32.ge_u": ["i32", ["i32", "i32"], [0x4f]],
  "i32.lt_s": ["i32", ["i32", "i32"], [0x48]],
  "i32.gt_s": ["i32", ["i32", "i32"], [0x4a]],
  "i32.add": ["i32", ["i32", "i32"], [0x6a]],
  "i32.sub": ["i32", ["i32", "i32"], [0x6b]],
  "i32.mul": ["i32", ["i32", "i32"], [0x6c]],
  "i32.rem_u": ["i32", ["i32", "i32"], [0x70]],
  "i32.and": ["i32", ["i32", "i32"], [0x71]],
  "i32.or": ["i32", ["i32", "i32"], [0x72]],
  "i32.xor": ["i32", ["i32", "i32"], [0x73]],
  "i32.shl": ["i32", ["i32", "i32"], [0x74]],
  "i32.shr_s": ["i32", ["i32", "i32"], [0x75]],
  "i32.shr_u": ["i32", ["i32", "i32"], [0x76]],
  "f32.demote_f64": ["f32", ["f64"], [0xb6]],
  "f64.promote_f32": ["f64", ["f32"], [0xbb]],
  "f64.convert_i32_s": ["f64", ["i32"], [0xb7]],
  "f64.abs": ["f64", ["f64"], [0x99]],
  "f64.sqrt": ["f64", ["f64"], [0x9f]],
  "f64.add": ["f64", ["f64", "f64"], [0xa0]],
  "f64.sub": ["f64", ["f64", "f64"], [0xa1]],
  "f64.mul": ["f64", ["f64", "f64"], [0xa2]],
  "f64.div": ["f64", ["f64", "f64"], [0xa3]],
  "f64.lt": ["i32", ["f64", "f64"], [0x63]],
  "i32x4.splat": ["v128", ["i32"], simd(17)],
  "f32x4.splat": ["v128", ["f32"], simd(19)],
  "f64x2.splat": ["v128", ["f64"], simd(20)],
  "i32x4.eq": ["v128", ["v128", "v128"], simd(55)],
  "i32x4.lt_s": ["v128", ["v128", "v128"], simd(57)],
  "i32x4.gt_s": ["v128", ["v128", "v128"], simd(59)],
  "f32x4.eq": ["v128", ["v128", "v128"], simd(65)],
  "f32x4.ne": ["v128", ["v128", "v128"], simd(66)],
  "f32x4.lt": ["v128", ["v128", "v128"], simd(67)],
  "f32x4.gt": ["v128", ["v128", "v128"], simd(68)],
  "f32x4.le": ["v128", ["v128", "v128"], simd(69)],
  "f32x4.ge": ["v128", ["v128", "v128"], simd(70)],
  "f64x2.eq": ["v128", ["v128", "v128"], simd(71)],
  "f64x2.ne": ["v128", ["v128", "v128"], simd(72)],
  "f64x2.lt": ["v128", ["v128", "v128"], simd(73)],
  "f64x2.gt": ["v128", ["v128", "v128"], simd(74)],
  "f64x2.le": ["v128", ["v128", "v128"], simd(75)],
  "f64x2.ge": ["v128", ["v128", "v128"], simd(76)],
  "v128.not": ["v128", ["v128"], simd(77)],
  "v128.and": ["v128", ["v128", "v128"], simd(78)],
  "v128.andnot": ["v128", ["v128", "v128"], simd(79)],
  "v128.or": ["v128", ["v128", "v128"], simd(80)],
  "v128.xor": ["v128", ["v128", "v128"], simd(81)],
  /** (a & mask) | (b & ~mask) of (a, b, mask) */
  "v128.bitselect": ["v128", ["v128", "v128", "v128"], simd(82)],
  "v128.any_true": ["i32", ["v128"], simd(83)],
  "f32x4.demote_f64x2_zero": ["v128", ["v128"], simd(94)],
  "f64x2.promote_low_f32x4": ["v128", ["v128"], simd(95)],
  "f32x4.ceil": ["v128", ["v128"], simd(103)],
  "f32x4.floor": ["v128", ["v128"], simd(104)],
  "f32x4.trunc": ["v128", ["v128"], simd(105)],
  "f32x4.nearest": ["v128", ["v128"], simd(106)],
  "f64x2.floor": ["v128", ["v128"], simd(117)],
  "f64x2.nearest": ["v128", ["v128"], simd(148)],
  "i32x4.neg": ["v128", ["v128"], simd(161)],
  "i32x4.all_true": ["i32", ["v128"], simd(163)],
  "i32x4.bitmask": ["i32", ["v128"], simd(164)],
  "i32x4.shl": ["v128", ["v128", "i32"], simd(171)],
  "i32x4.shr_s": ["v128", ["v128", "i32"], simd(172)],
  "i32x4.shr_u": ["v128", ["v128", "i32"], simd(173)],
  "i32x4.add": ["v128", ["v128", "v128"], simd(174)],
  "i32x4.sub": ["v128", ["v128", "v128"], simd(177)],
  "i64x2.shl": ["v128", ["v128", "i32"], simd(203)],
  "i64x2.shr_s": ["v128", ["v128", "i32"], simd(204)],
  "i64x2.shr_u": ["v128", ["v128", "i32"], simd(205)],
  "i64x2.add": ["v128", ["v128", "v128"], simd(206)],
  "i64x2.sub": ["v128", ["v128", "v128"], simd(209)],
  "f32x4.abs": ["v128", ["v128"], simd(224)],
  "f32x4.neg": ["v128", ["v128"], simd(225)],
  "f32x4.sqrt": ["v128", ["v128"], simd(227)],
  "f32x4.add": ["v128", ["v128", "v128"], simd(228)],
  "f32x4.sub": ["v128", ["v128", "v128"], simd(229)],
  "f32x4.mul": ["v128", ["v128", "v128"], simd(230)],
  "f32x4.div": ["v128", ["v128", "v128"], simd(231)],
  /** propagates NaN; several instructions on x86 */
  "f32x4.min": ["v128", ["v128", "v128"], simd(232)],
  "f32x4.max": ["v128", ["v128", "v128"], simd(233)],
  /** b < a ? b : a */
  "f32x4.pmin": ["v128", ["v128", "v128"], simd(234)],
  /** a < b ? b : a */
  "f32x4.pmax": ["v128", ["v128", "v128"], simd(235)],
  "f64x2.abs": ["v128", ["v128"], simd(236)],
  "f64x2.neg": ["v128", ["v128"], simd(237)],
  "f64x2.sqrt": ["v128", ["v128"], simd(239)],
  "f64x2.add": ["v128", ["v128", "v128"], simd(240)],
  "f64x2.sub": ["v128", ["v128", "v128"], simd(241)],
  "f64x2.mul": ["v128", ["v128", "v128"], simd(242)],
  "f64x2.div": ["v128", ["v128", "v128"], simd(243)],
  /** propagates NaN; several instructions on x86 */
  "f64x2.min": ["v128", ["v128", "v128"], simd(244)],
  "f64x2.max": ["v128", ["v128", "v128"], simd(245)],
  "f64x2.pmin": ["v128", ["v128", "v128"], simd(246)],
  "f64x2.pmax": ["v128", ["v128", "v128"], simd(247)],
  "i32x4.trunc_sat_f32x4_s": ["v128", ["v128"], simd(248)],
  "f32x4.convert_i32x4_s": ["v128", ["v128"], simd(250)],
  "i32x4.trunc_sat_f64x2_s_zero": ["v128", ["v128"], simd(252)],
  "f64x2.convert_low_i32x4_s": ["v128", ["v128"], simd(254)],
  "f64x2.convert_low_i32x4_u": ["v128", ["v128"], simd(255)],
  /** a b + c, rounded once or twice */
  "f32x4.relaxed_madd": ["v128", ["v128", "v128", "v128"], simd(0x105)],
  /** -(a b) + c, rounded once or twice */
  "f32x4.relaxed_nmadd": ["v128", ["v128", "v128", "v128"], simd(0x106)],
  "f64x2.relaxed_madd": ["v128", ["v128", "v128", "v128"], simd(0x107)],
  "f64x2.relaxed_nmadd": ["v128", ["v128", "v128", "v128"], simd(0x108)],
} as const satisfies Record<string, readonly [ValueType, ReadonlyArray<ValueType>, ReadonlyArray<number>]>

type Table = typeof table

/** An operation on values alone. */
export type Operation = keyof Table
export type ResultOf<O extends Operation> = Table[O][0]
/** The types of an operation's arguments, as a mutable tuple for mapping. */
export type ArgumentsOf<O extends Operation> = Table[O][1]

export const resultOf = <O extends Operation>(operation: O): ResultOf<O> => table[operation][0]
export const bytesOf = (operation: Operation): ReadonlyArray<number> => table[operation][2]

/** Reads of memory; the address is in bytes. */
export const loads = {
  "i32.load": ["i32", [0x28], 2],
  "f32.load": ["f32", [0x2a], 2],
  "f64.load": ["f64", [0x2b], 3],
  "v128.load": ["v128", simd(0), 4],
  "v128.load32_splat": ["v128", simd(9), 2],
  "v128.load64_splat": ["v128", simd(10), 3],
  /** two float32 or one float64, zeros above */
  "v128.load64_zero": ["v128", simd(93), 3],
} as const satisfies Record<string, readonly [ValueType, ReadonlyArray<number>, number]>

export type Load = keyof typeof loads

/** Writes to memory: [type of the value, bytes, log2 of the alignment]. */
export const stores = {
  "i32.store": ["i32", [0x36], 2],
  "f32.store": ["f32", [0x38], 2],
  "f64.store": ["f64", [0x39], 3],
  "v128.store": ["v128", simd(11), 4],
} as const satisfies Record<string, readonly [ValueType, ReadonlyArray<number>, number]>

export type Store = keyof typeof stores
