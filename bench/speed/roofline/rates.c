/*
 * The section "Roofline" of docs/benchmarks.md measures this.
 *
 * What the machine can do in WebAssembly SIMD, at best: products and sums of float32 in registers, and traffic between
 * registers and a stretch of memory of any size.
 */
#include <wasm_simd128.h>

typedef float f4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));

extern unsigned char __heap_base;

/* Makes room for so many bytes; where they begin. */
__attribute__((export_name("room"))) unsigned char *room(long bytes) {
  unsigned char *at = (unsigned char *)(((unsigned long)&__heap_base + 63) & ~63ul);
  const long pages = (long)(((unsigned long)at + bytes + 65535) >> 16) - (long)__builtin_wasm_memory_size(0);
  if (pages > 0 && __builtin_wasm_memory_grow(0, pages) == (unsigned long)-1) return 0;
  for (long i = 0; i < bytes; i += 4) *(float *)(at + i) = 1;
  return at;
}

#ifdef RELAXED
/* The instruction of a draft up to clang 16, which build.sh renames to that of the standard. */
#if __clang_major__ >= 17
#define STEP(x) x = __builtin_wasm_relaxed_madd_f32x4(x, a, b)
#else
#define STEP(x) x = __builtin_wasm_fma_f32x4(x, a, b)
#endif
#else
#define STEP(x) x = x * a + b
#endif

/* Twelve independent chains of x = a x + b, as many as registers leave room for: 96 operations a round. */
__attribute__((export_name("chains"))) float chains(long rounds, float scale, float shift) {
  const f4 a = {scale, scale, scale, scale}, b = {shift, shift, shift, shift};
  f4 x0 = b, x1 = b + a, x2 = x1 + a, x3 = x2 + a, x4 = x3 + a, x5 = x4 + a, x6 = x5 + a, x7 = x6 + a, x8 = x7 + a,
     x9 = x8 + a, x10 = x9 + a, x11 = x10 + a;
  for (long i = 0; i < rounds; i++) {
    STEP(x0), STEP(x1), STEP(x2), STEP(x3), STEP(x4), STEP(x5);
    STEP(x6), STEP(x7), STEP(x8), STEP(x9), STEP(x10), STEP(x11);
  }
  const f4 s = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;
  return s[0] + s[1] + s[2] + s[3];
}

/* Reads so many bytes (a multiple of 128), so many times over. */
__attribute__((export_name("read"))) int read(const unsigned char *at, long bytes, long passes) {
  i4 s0 = {0}, s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (long pass = 0; pass < passes; pass++)
    for (const unsigned char *p = at, *end = at + bytes; p != end; p += 128) {
      const i4 *v = (const i4 *)p;
      s0 ^= v[0], s1 ^= v[1], s2 ^= v[2], s3 ^= v[3], s4 ^= v[4], s5 ^= v[5], s6 ^= v[6], s7 ^= v[7];
    }
  const i4 s = s0 ^ s1 ^ s2 ^ s3 ^ s4 ^ s5 ^ s6 ^ s7;
  return s[0] ^ s[1] ^ s[2] ^ s[3];
}

/* Writes so many bytes (a multiple of 128), so many times over. */
__attribute__((export_name("write"))) void write(unsigned char *at, long bytes, long passes, float value) {
  const f4 x = {value, value, value, value};
  for (long pass = 0; pass < passes; pass++)
    for (unsigned char *p = at, *end = at + bytes; p != end; p += 128) {
      f4 *v = (f4 *)p;
      v[0] = x, v[1] = x, v[2] = x, v[3] = x, v[4] = x, v[5] = x, v[6] = x, v[7] = x;
    }
}
