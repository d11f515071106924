/**
 * VaSST in one file: the whole method of the paper, from data to ranked laws, without this library. Everything is
 * here once, in the order of the paper and with the names of its equations and algorithms, in plain tensors and numbers.
 *
 *     npm run ts -- examples/00_minivasst.ts
 */
import "@tensorflow/tfjs" // for what it registers: the gradients of all operations, and the cpu backend
import * as tf from "@tensorflow/tfjs-core"

tf.enableProdMode()
await tf.setBackend("cpu")

const [K, D, S, H, n] = [2, 2, 4, 2000, 300] // trees, their depth, samples a step, hard draws, rows
const N = 2 ** (D + 1) - 1 // nodes of a tree's full binary skeleton, in heap order: z has children 2z + 1, 2z + 2
const [steps, rate] = [100, 0.01] // at the paper's rate of 5e-5, its 2000 steps move no logit by more than 0.05
const [alpha, delta, a0, b0] = [0.95, 2, 2, 2] // hyperparameters of the priors; besides, mu0 = 0 and eta = 1
const sigma0 = 1000 // Sigma0 = sigma0 I; with the paper's 10, a coefficient of 6 costs more than a wrong law

// ---- Random numbers: mulberry32, the same on every machine ----
let state = 1
const uniform = (): number => {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32
}
const logit = (q: number): number => Math.log(q / (1 - q))
const logistic = (): number => logit(uniform())
const gumbel = (): number => -Math.log(-Math.log(uniform()))
const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
const filled = (length: number, draw: (i: number) => number) =>
  Float32Array.from({ length }, (_, i) => draw(i))

// ---- Data: y = 6 sin(x0) cos(x1) + noise (Eq. simulation-generating-model-2) ----
const features = [filled(n, uniform), filled(n, () => 2 + uniform())]
const y = features[0]!.map((x0, i) => 6 * Math.sin(x0) * Math.cos(features[1]![i]!) + 0.1 * normal())
const X = tf.stack(features.map((column) => tf.tensor1d(column))) // [p, n]

const operators = [
  { name: "mul", arity: 2, soft: tf.mul<tf.Tensor>, hard: (a: number, b: number) => a * b },
  { name: "sin", arity: 1, soft: tf.sin<tf.Tensor>, hard: (a: number) => Math.sin(a) },
  { name: "cos", arity: 1, soft: tf.cos<tf.Tensor>, hard: (a: number) => Math.cos(a) },
]
const [O, p] = [operators.length, features.length]

// ---- The parameters of q (Eq. variational-parameters), from the prior on ----
const depthOf = (z: number): number => 31 - Math.clz32(z + 1)
const split = (z: number): number => alpha * (1 + depthOf(z)) ** -delta // Eq. skeleton-prior
const jitter = (...shape: ReadonlyArray<number>) =>
  tf.variable(
    tf.tensor(
      filled(tf.util.sizeFromShape([...shape]), () => 0.01 * normal()),
      [...shape],
    ),
  )
const l = tf.variable(
  tf.tensor(
    filled(K * N, (i) => logit(split(i % N))),
    [K, N],
  ),
) // logits of expansion
const [op, ft] = [jitter(K, N, O), jitter(K, N, p)] // logits of operators and of features
const [etaOp, etaFt] = [tf.variable(tf.zeros([O])), tf.variable(tf.zeros([p]))] // log concentrations of their weights

// ---- Soft trees: a recursion over nodes, for all samples, trees and rows at once (Algorithm SoftEvalAtNode) ----
const softTrees = (e: tf.Tensor, o: tf.Tensor, h: tf.Tensor): tf.Tensor => {
  const [es, os, hs] = [tf.unstack(e, 2), tf.unstack(o, 2), tf.unstack(h, 2)] // [S, K, ...] for each node
  const value = (z: number): tf.Tensor => {
    const leaf = tf.reshape(tf.matMul(tf.reshape(hs[z]!, [S * K, p]), X), [S, K, n])
    if (depthOf(z) === D) return leaf
    const [left, right] = [value(2 * z + 1), value(2 * z + 2)]
    const weights = tf.split(os[z]!, O, -1)
    const inner = tf.addN(operators.map(({ soft }, k) => tf.mul(weights[k]!, soft(left, right))))
    const gate = tf.expandDims(es[z]!, -1)
    return tf.add(tf.mul(gate, inner), tf.mul(tf.sub(1, gate), leaf)) // Eq. soft-gating
  }
  return value(0)
}

// ---- log p(y | T), coefficients and noise integrated out (Eqs. p(y|T) and posterior-model-parameters) ----
type Column = ArrayLike<number>
const dot = (a: Column, b: Column): number => Array.from(a).reduce((sum, x, i) => sum + x * b[i]!, 0)
const combine = (columns: ReadonlyArray<Column>, weights: ReadonlyArray<number>) =>
  Array.from(y, (_, i) => columns.reduce((sum, t, k) => sum + weights[k]! * t[i]!, 0))
const collapse = (columns: ReadonlyArray<Column>) => {
  const T = [new Float64Array(n).fill(1), ...columns]
  // Gauss-Jordan on A = Sigma0^-1 + T'T, in place: its inverse, and its determinant from the pivots.
  const A = T.map((s, j) => T.map((t, k) => dot(s, t) + (j === k ? 1 / sigma0 : 0)))
  let logDet = 0
  A.forEach((pivotRow, j) => {
    const pivot = pivotRow[j]!
    logDet += Math.log(pivot)
    pivotRow[j] = 1
    pivotRow.forEach((x, c) => (pivotRow[c] = x / pivot))
    for (const row of A.filter((row) => row !== pivotRow)) {
      const factor = row[j]!
      row[j] = 0
      pivotRow.forEach((x, c) => (row[c]! -= factor * x))
    }
  })
  const cross = T.map((t) => dot(t, y))
  const mu = A.map((row) => dot(row, cross))
  const [a, b] = [a0 + n / 2, b0 + 0.5 * (dot(y, y) - dot(mu, cross))]
  return { T, inverse: A, mu, slope: a / b, logEvidence: -0.5 * logDet - a * Math.log(b) } // up to constants
}
// The evidence of S design matrices as one tfjs operation. Float32 would drown Sigma0^-1 in T'T; so value and gradient,
// d log p / dT = -T A^-1 + (a_n / b_n) (y - T mu) mu', are computed in float64 outside of the graph.
const evidence = tf.customGrad((...inputs) => {
  const designs = ((inputs[0] as tf.Tensor).arraySync() as Array<Array<Array<number>>>).map(collapse) // from [S, K, n]
  const gradient = designs.map(({ T, inverse, mu, slope }) => {
    const residual = combine([y, ...T], [1, ...mu.map((m) => -m)])
    const row = (m: number, k: number) =>
      combine([residual, ...T], [slope * m, ...inverse[k]!.map((x) => -x)])
    return mu.map(row).slice(1)
  })
  return {
    value: tf.tensor1d(designs.map(({ logEvidence }) => logEvidence)),
    gradFunc: (dy: tf.Tensor) => tf.mul(tf.tensor3d(gradient), tf.reshape(dy, [S, 1, 1])),
  }
})

// ---- KL(q || prior) in closed form, up to constants (Eq. elbo-2) ----
const lgamma = (x: tf.Tensor): tf.Tensor => {
  const z = tf.add(x, 6) // Stirling's series at x + 6, and the recurrence back to x
  const stirling = tf.add(tf.sub(tf.mul(tf.sub(z, 0.5), tf.log(z)), z), tf.div(1 / 12, z))
  return tf.sub(stirling, tf.addN([0, 1, 2, 3, 4, 5].map((i) => tf.log(tf.add(x, i)))))
}
const digamma = tf.grad(lgamma)
/** KL[Dir(eta) || Dir(1)], and the mean over w ~ Dir(eta) of KL[Cat(softmax(a)) || Cat(w)], summed over nodes. */
const labelKl = (a: tf.Tensor, logEta: tf.Tensor): tf.Tensor => {
  const eta = tf.exp(logEta)
  const total = tf.sum(eta)
  const expectedLog = tf.sub(digamma(eta), digamma(total))
  return tf.addN([
    tf.sub(lgamma(total), tf.sum(lgamma(eta))),
    tf.sum(tf.mul(tf.sub(eta, 1), expectedLog)),
    tf.sum(tf.mul(tf.softmax(a), tf.sub(tf.logSoftmax(a), expectedLog))),
  ])
}
/** sum sigmoid(l) (l - m) - softplus(l) + softplus(m), m being the logits of the prior. */
const splitKl = (l: tf.Tensor): tf.Tensor => {
  const m = tf.tensor1d(filled(N, (z) => logit(split(z))))
  return tf.sum(tf.add(tf.mul(tf.sigmoid(l), tf.sub(l, m)), tf.sub(tf.softplus(m), tf.softplus(l))))
}

// ---- The ELBO (Algorithm ApproxELBO) with Binary-Concrete and Gumbel-Softmax draws (Eq. continuous-relaxation) ----
const elbo = (tau: number): tf.Scalar => {
  const noisy = (x: tf.Tensor, noise: () => number) =>
    tf.div(tf.add(x, tf.tensor(filled(S * x.size, noise), [S, ...x.shape])), tau)
  const e = tf.sigmoid(noisy(l, logistic))
  const [o, h] = [tf.softmax(noisy(op, gumbel)), tf.softmax(noisy(ft, gumbel))]
  const kl = tf.addN([splitKl(l), labelKl(op, etaOp), labelKl(ft, etaFt)])
  return tf.sub(tf.mean(evidence(softTrees(e, o, h))), kl)
}

// ---- Adam on clipped gradients, temperature annealed from 1 to 0.5 (Algorithm VaSST) ----
const train = (): void => {
  const adam = tf.train.adam(rate, 0.9, 0.99)
  for (let t = 1; t <= steps; t++) {
    const tau = 1 - 0.5 * Math.min(t / (0.75 * steps), 1)
    tf.tidy(() => {
      const { value, grads } = adam.computeGradients(() => tf.neg(elbo(tau)), [l, op, ft, etaOp, etaFt])
      const norm = Math.hypot(...Object.values(grads).map((g) => tf.norm(g).dataSync()[0]!))
      if (!Number.isFinite(norm)) return
      const clip = (g: tf.Tensor) => tf.div(g, Math.max(1, norm))
      adam.applyGradients(Object.entries(grads).map(([name, g]) => ({ name, tensor: clip(g) })))
      if (t % 25 === 0)
        console.log(`step ${t}  temperature ${tau.toFixed(2)}  ELBO ${(-value.dataSync()[0]!).toFixed(1)}`)
    })
  }
}

// ---- Hard trees: a skeleton is drawn, pruned and evaluated in one go (Algorithm SampleHard) ----
interface Tree {
  readonly values: Float32Array // f_j(x) on all rows
  readonly text: string
  readonly logSplits: number // log prior of the expansion indicators of its nodes
  readonly labels: ReadonlyArray<number> // of its nodes: features 0 .. p - 1, then operators p .. p + O - 1
}
const category = (logits: Float32Array): number => {
  const noisy = logits.map((a) => a + gumbel())
  return noisy.indexOf(Math.max(...noisy))
}
/** Pruning is being lazy: what lies below a leaf, or to the right below one argument, is never drawn. */
const draw = (q: ReadonlyArray<Float32Array>, j: number, z = 0): Tree => {
  const [logits, at] = [q[0]!, j * N + z]
  if (depthOf(z) === D || logits[at]! + logistic() < 0) {
    const m = category(q[2]!.subarray(at * p, (at + 1) * p))
    return { values: features[m]!, text: `x${m}`, logSplits: Math.log(1 - split(z)), labels: [m] }
  }
  const k = category(q[1]!.subarray(at * O, (at + 1) * O))
  const { name, arity, hard } = operators[k]!
  const children = [1, 2].slice(0, arity).map((side) => draw(q, j, 2 * z + side))
  const [a, b = a] = children
  return {
    values: a!.values.map((x, i) => hard(x, b!.values[i]!)),
    text: arity === 1 ? `${name}(${a!.text})` : [a!.text, b!.text].sort().join("*"), // x*y is y*x
    logSplits: children.reduce((sum, child) => sum + child.logSplits, Math.log(split(z))),
    labels: [p + k, ...children.flatMap((child) => child.labels)],
  }
}

// ---- LMPSE = log p(y | T) + log prior of the trees, the weights of operators and features integrated out ----
const logFactorial = (k: number): number => (k < 2 ? 0 : Math.log(k) + logFactorial(k - 1))
/** log B(1 + c) / B(1) for the counts c of the labels from `low` to below `high`. */
const logLabels = (labels: ReadonlyArray<number>, low: number, high: number): number => {
  const counts = [...filled(high - low, (m) => labels.filter((label) => label === low + m).length)]
  const logs = counts.reduce((sum, count) => sum + logFactorial(count), logFactorial(high - low - 1))
  return logs - logFactorial(counts.reduce((sum, count) => sum + count, high - low - 1))
}
const top = (count: number): string => {
  const found = new Map<string, readonly [lmpse: number, law: string]>()
  const q = [l, op, ft].map((logits) => logits.dataSync<"float32">())
  for (let s = 0; s < H; s++) {
    const trees = [...Array(K).keys()].map((j) => draw(q, j)).sort((a, b) => (a.text < b.text ? -1 : 1))
    const { mu, logEvidence } = collapse(trees.map(({ values }) => values))
    const labels = trees.flatMap((tree) => tree.labels)
    const logPrior = trees.reduce((sum, { logSplits }) => sum + logSplits, logLabels(labels, 0, p))
    const law = [mu[0]!.toFixed(2), ...trees.map(({ text }, k) => `${mu[k + 1]!.toFixed(2)} ${text}`)]
    found.set(trees.map(({ text }) => text).join(), [
      logEvidence + logPrior + logLabels(labels, p, p + O),
      law.join(" + "),
    ])
  }
  const ranked = [...found.values()].sort((a, b) => b[0] - a[0]).slice(0, count)
  return ranked.map(([lmpse, law]) => `${lmpse.toFixed(2).padStart(8)}   y = ${law}`).join("\n")
}

// Ranking many draws does most of the work: what training adds shows only beside the draws without it.
console.log(`best of ${H} draws before training\n${top(1)}\n`)
train()
console.log(`\nbest of ${H} draws after training\n${top(5)}`)
