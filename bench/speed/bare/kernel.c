/*
 * The rows "bare kernel" of docs/benchmarks.md, sections "One training step" and "Roofline", measure this.
 *
 * The bare kernel: the evidence of a soft forest and its gradient, with nothing around them. Operators mul, sin and
 * cos, two features, three trees of depth 3, all fixed when this file is compiled. It exists only to be measured
 * against: what hand-written code for one grammar takes, an engine for any grammar is compared with.
 *
 * The value of a node on a row x is, with its weights w (51 to a tree: 7 inner nodes of 5, then 8 leaves of 2)
 *
 *     inner:  u = w0 x0 + w1 x1 + w2 L R + w3 sin L + w4 cos L,   v = u, or c tanh(u / c) with -DCLIP=c
 *     leaf:   v = w0 x0 + w1 x1
 *
 * where L and R are the values of its children. T = [1, t_1, t_2, t_3] are the values of a sample's trees on all rows.
 * Sample by sample: forward by blocks of rows, keeping value, sine and cosine of inner nodes; Gram matrix and
 * cross-moments in float64; the collapsed evidence and d log p / dT = -T A^-1 + (a_n / b_n) (y - T m) m'; then down
 * the trees by blocks of rows to the gradients by all weights, summed in float32 over a block and in float64 over
 * blocks. What is kept of one sample fits the second-level cache, so nothing is computed twice.
 *
 * With -DRELAXED products and sums are fused (relaxed SIMD), which most processors do in one instruction.
 */
#include <wasm_simd128.h>

#define TREES 3
#define SIZE (TREES + 1)
#define INNER 7
#define LEAVES 8
#define WEIGHTS (5 * INNER + 2 * LEAVES)
#ifndef BLOCK
#define BLOCK 48 /* vectors of four rows */
#endif

typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

__attribute__((import_module("env"), import_name("log"))) double logarithm(double);

/* Features of four rows. */
typedef struct {
  f4 x0, x1;
} Row;

/* An inner node on four rows: its value, and sine and cosine of its left child's. On the way back the value is
   overwritten with the adjoint of u. */
typedef struct {
  f4 v, s, c;
} Node;

typedef struct {
  Node node[INNER];
} Tree;

typedef struct {
  f4 t[TREES];
} Design;

static int vectors, samples;
static Row *features;     /* [vectors] */
static d2 *target;        /* [vectors, 2] */
static float *weights;    /* [samples, TREES, WEIGHTS] */
static double *gradients; /* [samples, TREES, WEIGHTS] */
static double *evidence;  /* [samples] */
static Design *design;    /* [vectors], of one sample */
static Design *adjoint;   /* [vectors], of one sample; by u of the roots */
static f4 *residual;      /* [vectors], of one sample */
static Tree *kept;        /* [TREES, vectors], of one sample */
static double constant, shape0, scale0, precision[SIZE];
static float most[2]; /* of the features' absolute values */

extern unsigned char __heap_base;

/* Lays out memory for n rows (a multiple of 4) and S samples; zero if the memory cannot grow to that. */
__attribute__((export_name("layout"))) int layout(int n, int S) {
  unsigned long at = (unsigned long)&__heap_base;
#define TAKE(pointer, type, count)                                                                                     \
  at = (at + 63) & ~63ul;                                                                                              \
  pointer = (type *)at;                                                                                                \
  at += (unsigned long)(count) * sizeof(type);
  vectors = n / 4, samples = S;
  TAKE(features, Row, vectors)
  TAKE(target, d2, 2 * vectors)
  TAKE(weights, float, S * TREES * WEIGHTS)
  TAKE(gradients, double, S * TREES * WEIGHTS)
  TAKE(evidence, double, S)
  TAKE(design, Design, vectors)
  TAKE(adjoint, Design, vectors)
  TAKE(residual, f4, vectors)
  TAKE(kept, Tree, TREES * vectors)
  const long pages = (long)((at + 65535) >> 16) - (long)__builtin_wasm_memory_size(0);
  return pages <= 0 || __builtin_wasm_memory_grow(0, pages) != (unsigned long)-1;
}
__attribute__((export_name("features"))) Row *featuresAt(void) { return features; }
__attribute__((export_name("target"))) d2 *targetAt(void) { return target; }
__attribute__((export_name("weights"))) float *weightsAt(void) { return weights; }
__attribute__((export_name("gradients"))) double *gradientsAt(void) { return gradients; }
__attribute__((export_name("evidence"))) double *evidenceAt(void) { return evidence; }

INLINE f4 splat(float x) { return (f4){x, x, x, x}; }
INLINE d2 splat2(double x) { return (d2){x, x}; }
INLINE d2 low(f4 x) { return wasm_f64x2_promote_low_f32x4(x); }
INLINE d2 high(f4 x) { return wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(x, x, 2, 3, 2, 3)); }
INLINE double sum(f4 x) {
  const d2 s = low(x) + high(x);
  return s[0] + s[1];
}

/* a b + c, and c - a b. */
#ifndef RELAXED
INLINE f4 madd(f4 a, f4 b, f4 c) { return a * b + c; }
INLINE f4 nmadd(f4 a, f4 b, f4 c) { return c - a * b; }
#elif __clang_major__ >= 17
INLINE f4 madd(f4 a, f4 b, f4 c) { return __builtin_wasm_relaxed_madd_f32x4(a, b, c); }
INLINE f4 nmadd(f4 a, f4 b, f4 c) { return __builtin_wasm_relaxed_nmadd_f32x4(a, b, c); }
#else
/* The instructions of a draft; build.sh renames them to those of the standard, whose operands come in this order. */
INLINE f4 madd(f4 a, f4 b, f4 c) { return __builtin_wasm_fma_f32x4(a, b, c); }
INLINE f4 nmadd(f4 a, f4 b, f4 c) { return __builtin_wasm_fms_f32x4(a, b, c); }
#endif

#define PI 3.14159265f
#define ODD0 3.14159265f
#define ODD1 -5.16771057f
#define ODD2 2.55008231f
#define ODD3 -0.598308095f
#define ODD4 0.0776759734f
#define EVEN1 -4.93479552f
#define EVEN2 4.05845134f
#define EVEN3 -1.33209387f
#define EVEN4 0.220080658f

/* sin(pi t) and cos(pi t): t - k in [-1/2, 1/2], two minimax polynomials (6e-9 of the sine, 6e-8), the sign of (-1)^k.
   Rounding x / pi to t moves a sine by no more than rounding x itself does. */
INLINE void sincospi(f4 t, f4 *s, f4 *c) {
  /* Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits. */
  const f4 magic = splat(12582912.0f);
  const f4 shifted = t + magic;
  const f4 r = t - (shifted - magic);
  const f4 z = r * r;
  const i4 sign = (i4)shifted << 31;
  f4 odd = madd(splat(ODD4), z, splat(ODD3));
  odd = madd(odd, z, splat(ODD2));
  odd = madd(odd, z, splat(ODD1));
  odd = madd(odd, z, splat(ODD0));
  f4 even = madd(splat(EVEN4), z, splat(EVEN3));
  even = madd(even, z, splat(EVEN2));
  even = madd(even, z, splat(EVEN1));
  even = madd(even, z, splat(1.0f));
  *s = (f4)((i4)(r * odd) ^ sign);
  *c = (f4)((i4)even ^ sign);
}

#ifdef CLIP
/* c tanh(u / c) of any u: a rational function (Eigen's). */
INLINE f4 clipAny(f4 u) {
  const f4 x = wasm_f32x4_pmin(wasm_f32x4_pmax(u * splat(1.0f / CLIP), splat(-7.90531f)), splat(7.90531f));
  const f4 y = x * x;
  f4 p = madd(splat(-2.76076847742355e-16f), y, splat(2.00018790482477e-13f));
  p = madd(p, y, splat(-8.60467152213735e-11f));
  p = madd(p, y, splat(5.12229709037114e-08f));
  p = madd(p, y, splat(1.48572235717979e-05f));
  p = madd(p, y, splat(6.37261928875436e-04f));
  p = madd(p, y, splat(4.89352455891786e-03f));
  f4 q = madd(splat(1.19825839466702e-06f), y, splat(1.18534705686654e-04f));
  q = madd(q, y, splat(2.26843463243900e-03f));
  q = madd(q, y, splat(4.89352518554385e-03f));
  return splat(CLIP) * x * p / q;
}

/* c tanh(u / c) for |u| < c / 8, to 8e-9 of it. */
INLINE f4 clipNear(f4 u) {
  const f4 z = u * u;
  return madd(u * z, madd(z, splat(0.132167365f / (CLIP * CLIP * CLIP * CLIP)), splat(-0.333327708f / (CLIP * CLIP))), u);
}
#endif

/* Node N of a tree on a block of rows; `near`: |u| < c / 8. */
INLINE void forwardNode(const int N, const int near, const float *w, const Row *x, Tree *tree, f4 *root, int count) {
  const f4 a0 = splat(w[5 * N]), a1 = splat(w[5 * N + 1]), ws = splat(w[5 * N + 3]), wc = splat(w[5 * N + 4]);
  const int low = N >= 3;
  const float *leaves = w + 5 * INNER + 4 * (N - 3);
  /* Where the children are leaves, the left one is computed in units of pi. */
  const f4 l0 = splat(low ? leaves[0] / PI : 0), l1 = splat(low ? leaves[1] / PI : 0);
  const f4 r0 = splat(low ? leaves[2] : 0), r1 = splat(low ? leaves[3] : 0);
  const f4 wm = splat(low ? w[5 * N + 2] * PI : w[5 * N + 2]);
  for (int i = 0; i < count; i++, x++, tree++, root += TREES) {
    const f4 p = x->x0, q = x->x1;
    const f4 L = low ? madd(l0, p, l1 * q) : tree->node[2 * N + 1].v;
    const f4 R = low ? madd(r0, p, r1 * q) : tree->node[2 * N + 2].v;
    f4 s, c;
    sincospi(low ? L : L * splat(1 / PI), &s, &c);
    tree->node[N].s = s;
    tree->node[N].c = c;
    f4 v = madd(wc, c, madd(ws, s, madd(wm, L * R, madd(a0, p, a1 * q))));
#ifdef CLIP
    v = near ? clipNear(v) : clipAny(v);
#endif
    if (N == 0)
      *root = v;
    else
      tree->node[N].v = v;
  }
}

INLINE float absolute(float x) { return __builtin_fabsf(x); }

/* Bounds of |u| of the inner nodes, from those of the features. */
static void boundNodes(const float *w, float *bound) {
  for (int N = INNER - 1; N >= 0; N--) {
    float below[2];
    for (int side = 0; side < 2; side++) {
      const int child = 2 * N + 1 + side;
      const float *leaf = w + 5 * INNER + 2 * (child - INNER);
      below[side] = child < INNER ? bound[child] : absolute(leaf[0]) * most[0] + absolute(leaf[1]) * most[1];
    }
    const float *v = w + 5 * N;
    bound[N] = absolute(v[0]) * most[0] + absolute(v[1]) * most[1] + absolute(v[2]) * below[0] * below[1] +
               absolute(v[3]) + absolute(v[4]);
  }
}

#ifdef CLIP
#define FORWARD(N)                                                                                                     \
  if (bound[N] < CLIP / 8)                                                                                             \
    forwardNode(N, 1, w, x, tree, root, count);                                                                        \
  else                                                                                                                 \
    forwardNode(N, 0, w, x, tree, root, count);
#else
#define FORWARD(N) forwardNode(N, 0, w, x, tree, root, count);
#endif

static void forward(const float *w, int k) {
  float bound[INNER];
  boundNodes(w, bound);
  for (int from = 0; from < vectors; from += BLOCK) {
    const int count = vectors - from < BLOCK ? vectors - from : BLOCK;
    const Row *x = features + from;
    Tree *tree = kept + k * vectors + from;
    f4 *root = &design[from].t[k];
    FORWARD(6)
    FORWARD(5)
    FORWARD(4)
    FORWARD(3)
    FORWARD(2)
    FORWARD(1)
    FORWARD(0)
  }
}

/* The derivative by u of an inner node: that by its value v, times 1 - (v / c)^2. */
INLINE f4 throughClip(f4 dv, f4 v) {
#ifdef CLIP
  return nmadd(dv * v, v * splat(1.0f / (CLIP * CLIP)), dv);
#else
  return dv;
#endif
}

/* Gradients of node N whose children are inner nodes; the adjoints of these overwrite their values. */
INLINE void backwardInner(const int N, const float *w, double *g, const Row *x, Tree *tree, const f4 *root, int count) {
  const f4 wm = splat(w[5 * N + 2]), ws = splat(w[5 * N + 3]), wc = splat(w[5 * N + 4]);
  f4 g0 = splat(0), g1 = g0, gm = g0, gs = g0, gc = g0;
  for (int i = 0; i < count; i++, x++, tree++, root += TREES) {
    const f4 s = tree->node[N].s, c = tree->node[N].c;
    const f4 L = tree->node[2 * N + 1].v, R = tree->node[2 * N + 2].v;
    const f4 du = N ? tree->node[N].v : *root;
    const f4 duL = du * L;
    g0 = madd(du, x->x0, g0);
    g1 = madd(du, x->x1, g1);
    gm = madd(duL, R, gm);
    gs = madd(du, s, gs);
    gc = madd(du, c, gc);
    tree->node[2 * N + 1].v = throughClip(du * nmadd(wc, s, madd(ws, c, wm * R)), L);
    tree->node[2 * N + 2].v = throughClip(wm * duL, R);
  }
  const f4 sums[5] = {g0, g1, gm, gs, gc};
  for (int j = 0; j < 5; j++) g[5 * N + j] += sum(sums[j]);
}

/* What the adjoint of a node above leaves is summed against: with these sums, everything else leaves the loop. */
enum { P, Q, S, C, PP, PQ, QQ, PS, PC, QS, QC, MOMENTS };

INLINE void backwardLowest(const int N, double *m, const Row *x, const Tree *tree, int count) {
  f4 sums[MOMENTS];
  for (int j = 0; j < MOMENTS; j++) sums[j] = splat(0);
  for (int i = 0; i < count; i++, x++, tree++) {
    const f4 p = x->x0, q = x->x1, s = tree->node[N].s, c = tree->node[N].c, du = tree->node[N].v;
    const f4 dup = du * p, duq = du * q;
    sums[P] += dup;
    sums[Q] += duq;
    sums[S] = madd(du, s, sums[S]);
    sums[C] = madd(du, c, sums[C]);
    sums[PP] = madd(dup, p, sums[PP]);
    sums[PQ] = madd(dup, q, sums[PQ]);
    sums[QQ] = madd(duq, q, sums[QQ]);
    sums[PS] = madd(dup, s, sums[PS]);
    sums[PC] = madd(dup, c, sums[PC]);
    sums[QS] = madd(duq, s, sums[QS]);
    sums[QC] = madd(duq, c, sums[QC]);
  }
  for (int j = 0; j < MOMENTS; j++) m[j] += sum(sums[j]);
}

/* Gradients of node N and of its leaves from the moments of its adjoint. */
static void fromMoments(int N, const float *w, const double *m, double *g) {
  const double wm = w[5 * N + 2], ws = w[5 * N + 3], wc = w[5 * N + 4];
  const float *leaves = w + 5 * INNER + 4 * (N - 3);
  const double l0 = leaves[0], l1 = leaves[1], r0 = leaves[2], r1 = leaves[3];
  double *own = g + 5 * N, *below = g + 5 * INNER + 4 * (N - 3);
  own[0] = m[P], own[1] = m[Q], own[3] = m[S], own[4] = m[C];
  own[2] = l0 * r0 * m[PP] + (l0 * r1 + l1 * r0) * m[PQ] + l1 * r1 * m[QQ];
  below[0] = wm * (r0 * m[PP] + r1 * m[PQ]) + ws * m[PC] - wc * m[PS];
  below[1] = wm * (r0 * m[PQ] + r1 * m[QQ]) + ws * m[QC] - wc * m[QS];
  below[2] = wm * (l0 * m[PP] + l1 * m[PQ]);
  below[3] = wm * (l0 * m[PQ] + l1 * m[QQ]);
}

static void backward(const float *w, double *g, int k) {
  double m[4][MOMENTS];
  for (int N = 0; N < 4; N++)
    for (int j = 0; j < MOMENTS; j++) m[N][j] = 0;
  for (int j = 0; j < WEIGHTS; j++) g[j] = 0;
  for (int from = 0; from < vectors; from += BLOCK) {
    const int count = vectors - from < BLOCK ? vectors - from : BLOCK;
    const Row *x = features + from;
    Tree *tree = kept + k * vectors + from;
    const f4 *root = &adjoint[from].t[k];
    backwardInner(0, w, g, x, tree, root, count);
    backwardInner(1, w, g, x, tree, root, count);
    backwardInner(2, w, g, x, tree, root, count);
    backwardLowest(3, m[0], x, tree, count);
    backwardLowest(4, m[1], x, tree, count);
    backwardLowest(5, m[2], x, tree, count);
    backwardLowest(6, m[3], x, tree, count);
  }
  for (int N = 3; N < INNER; N++) fromMoments(N, w, m[N - 3], g);
}

#define UNROLL _Pragma("clang loop unroll(full)")

/* The lower triangle of T'T, and T'y. */
static void moments(double a[SIZE][SIZE], double b[SIZE]) {
  d2 gram[TREES][TREES], ones[TREES], cross[TREES], total = splat2(0);
  for (int j = 0; j < TREES; j++) {
    ones[j] = cross[j] = splat2(0);
    for (int k = 0; k < TREES; k++) gram[j][k] = splat2(0);
  }
  for (int i = 0; i < vectors; i++) {
    const d2 y0 = target[2 * i], y1 = target[2 * i + 1];
    d2 t0[TREES], t1[TREES];
    total += y0 + y1;
    UNROLL for (int j = 0; j < TREES; j++) {
      t0[j] = low(design[i].t[j]), t1[j] = high(design[i].t[j]);
      ones[j] += t0[j] + t1[j];
      cross[j] += t0[j] * y0 + t1[j] * y1;
      UNROLL for (int k = 0; k <= j; k++) gram[j][k] += t0[j] * t0[k] + t1[j] * t1[k];
    }
  }
  a[0][0] = 4 * vectors, b[0] = total[0] + total[1];
  for (int j = 0; j < TREES; j++) {
    a[j + 1][0] = ones[j][0] + ones[j][1], b[j + 1] = cross[j][0] + cross[j][1];
    for (int k = 0; k <= j; k++) a[j + 1][k + 1] = gram[j][k][0] + gram[j][k][1];
  }
}

/* Writes y - T m; returns its squared length. b_n comes from it: y'y - b'm cancels when the fit is good. */
static double residuals(const double m[SIZE]) {
  d2 loss = splat2(0);
  for (int i = 0; i < vectors; i++) {
    d2 r0 = target[2 * i] - splat2(m[0]), r1 = target[2 * i + 1] - splat2(m[0]);
    UNROLL for (int k = 0; k < TREES; k++) {
      r0 -= splat2(m[k + 1]) * low(design[i].t[k]);
      r1 -= splat2(m[k + 1]) * high(design[i].t[k]);
    }
    loss += r0 * r0 + r1 * r1;
    residual[i] = wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(r0), wasm_f32x4_demote_f64x2_zero(r1), 0, 1, 4, 5);
  }
  return loss[0] + loss[1];
}

/* The log evidence of the design in memory; writes its adjoint. Pivots are kept positive, no more. */
static double collapse(void) {
  double a[SIZE][SIZE], b[SIZE], l[SIZE][SIZE], v[SIZE][SIZE], inverse[SIZE][SIZE], m[SIZE], determinant = 1;
  moments(a, b);
  for (int k = 0; k < SIZE; k++) a[k][k] += precision[k];
  for (int j = 0; j < SIZE; j++)
    for (int k = 0; k <= j; k++) {
      double s = a[j][k];
      for (int i = 0; i < k; i++) s -= l[j][i] * l[k][i];
      if (j > k) {
        l[j][k] = s / l[k][k];
        continue;
      }
      s = s > 1e-12 * a[j][j] ? s : 1e-12 * a[j][j];
      l[j][j] = __builtin_sqrt(s);
      determinant *= s;
    }
  for (int k = 0; k < SIZE; k++)
    for (int j = 0; j < SIZE; j++) {
      double s = j == k;
      for (int i = k; i < j; i++) s -= l[j][i] * v[i][k];
      v[j][k] = j < k ? 0 : s / l[j][j];
    }
  for (int j = 0; j < SIZE; j++) {
    m[j] = 0;
    for (int k = 0; k < SIZE; k++) {
      inverse[j][k] = 0;
      for (int i = 0; i < SIZE; i++) inverse[j][k] += v[i][j] * v[i][k];
      m[j] += inverse[j][k] * b[k];
    }
  }
  double scale = residuals(m);
  for (int k = 0; k < SIZE; k++) scale += precision[k] * m[k] * m[k];
  scale = scale0 + 0.5 * scale;
  const double shape = shape0 + 2.0 * vectors;
  f4 slope[TREES], at[TREES][SIZE];
  for (int k = 0; k < TREES; k++) {
    slope[k] = splat(shape / scale * m[k + 1]);
    for (int j = 0; j < SIZE; j++) at[k][j] = splat(inverse[j][k + 1]);
  }
  for (int i = 0; i < vectors; i++)
    UNROLL for (int k = 0; k < TREES; k++) {
      f4 d = madd(slope[k], residual[i], -at[k][0]);
      UNROLL for (int j = 0; j < TREES; j++) d = nmadd(at[k][j + 1], design[i].t[j], d);
      adjoint[i].t[k] = throughClip(d, design[i].t[k]);
    }
  return constant - 0.5 * logarithm(determinant) - shape * logarithm(scale);
}

/* Looks at the features, and takes the prior: coefficients N(0, sigma0 s^2), s^2 ~ IG(a0, b0); `c` is what of the log
   evidence does not depend on T. */
__attribute__((export_name("bind"))) void bind(double sigma0, double a0, double b0, double c) {
  for (int k = 0; k < SIZE; k++) precision[k] = 1 / sigma0;
  shape0 = a0, scale0 = b0, constant = c;
  f4 most0 = splat(0), most1 = splat(0);
  for (int i = 0; i < vectors; i++) {
    most0 = wasm_f32x4_pmax(most0, wasm_f32x4_abs(features[i].x0));
    most1 = wasm_f32x4_pmax(most1, wasm_f32x4_abs(features[i].x1));
  }
  most[0] = most[1] = 0;
  for (int lane = 0; lane < 4; lane++) {
    most[0] = most0[lane] > most[0] ? most0[lane] : most[0];
    most[1] = most1[lane] > most[1] ? most1[lane] : most[1];
  }
}

/* Evidence of all samples, and its gradient by all weights. */
__attribute__((export_name("step"))) void step(void) {
  for (int s = 0; s < samples; s++) {
    for (int k = 0; k < TREES; k++) forward(weights + (s * TREES + k) * WEIGHTS, k);
    evidence[s] = collapse();
    for (int k = 0; k < TREES; k++)
      backward(weights + (s * TREES + k) * WEIGHTS, gradients + (s * TREES + k) * WEIGHTS, k);
  }
}
