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

// ---- The parameters of q (Eq. variational-parameters), from the prior on, and their shapes ----
const depthOf = (z: number): number => 31 - Math.clz32(z + 1)
const split = (z: number): number => alpha * (1 + depthOf(z)) ** -delta // Eq. skeleton-prior
const phi = {
  l: filled(K * N, (i) => logit(split(i % N))), // logits of expansion, [K, N]
  op: filled(K * N * O, () => 0.01 * normal()), // logits of operators, [K, N, O]
  ft: filled(K * N * p, () => 0.01 * normal()), // logits of features, [K, N, p]
  etaOp: filled(O, () => 0), // log concentrations of the weights of operators, [O]
  etaFt: filled(p, () => 0), // and of features, [p]
}
const shapes = [[K, N], [K, N, O], [K, N, p], [O], [p]]

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
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
const collapse = (columns: ReadonlyArray<ArrayLike<number>>) => {
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
    const rows = Array.from(y, (_, i) => T.map((t) => t[i]!))
    const residuals = rows.map((row, i) => y[i]! - dot(mu, row))
    return mu
      .slice(1)
      .map((m, k) => rows.map((row, i) => slope * residuals[i]! * m - dot(inverse[k + 1]!, row)))
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
const splitKl = (l: tf.Tensor): tf.Tensor => {
  const [q, prior] = [tf.sigmoid(l), tf.tensor1d(filled(N, split))]
  const part = (x: tf.Tensor, from: tf.Tensor) => tf.mul(x, tf.log(tf.div(x, from)))
  return tf.sum(tf.add(part(q, prior), part(tf.sub(1, q), tf.sub(1, prior))))
}

// ---- The ELBO (Algorithm ApproxELBO) with Binary-Concrete and Gumbel-Softmax draws (Eq. continuous-relaxation) ----
const elbo = (tau: number, [l, op, ft, etaOp, etaFt]: ReadonlyArray<tf.Tensor>): tf.Scalar => {
  const noisy = (x: tf.Tensor, noise: () => number) =>
    tf.div(tf.add(x, tf.tensor(filled(S * x.size, noise), [S, ...x.shape])), tau)
  const [e, o, h] = [
    tf.sigmoid(noisy(l!, logistic)),
    tf.softmax(noisy(op!, gumbel)),
    tf.softmax(noisy(ft!, gumbel)),
  ]
  return tf.sub(
    tf.mean(evidence(softTrees(e, o, h))),
    tf.addN([splitKl(l!), labelKl(op!, etaOp!), labelKl(ft!, etaFt!)]),
  )
}

// ---- AdamW (without decay) on clipped gradients, temperature annealed from 1 to 0.5 (Algorithm VaSST) ----
const train = (): void => {
  const slots = Object.values(phi)
  const moments = slots.map((x) => ({ m: new Float64Array(x.length), v: new Float64Array(x.length) }))
  for (let t = 1; t <= steps; t++) {
    const tau = 1 - 0.5 * Math.min(t / (0.75 * steps), 1)
    const [value, gradients] = tf.tidy(() => {
      const result = tf.valueAndGrads((...x) => elbo(tau, x))(slots.map((x, j) => tf.tensor(x, shapes[j])))
      return [result.value.dataSync()[0]!, result.grads.map((g) => g.dataSync<"float32">())]
    })
    const norm = Math.hypot(...gradients.map((g) => Math.sqrt(dot(g, g))))
    if (!Number.isFinite(value + norm)) continue
    slots.forEach((x, j) => {
      const { m, v } = moments[j]!
      gradients[j]!.forEach((raw, i) => {
        const g = raw / Math.max(1, norm)
        m[i] = 0.9 * m[i]! + 0.1 * g
        v[i] = 0.99 * v[i]! + 0.01 * g * g
        x[i]! += (rate * m[i]) / (1 - 0.9 ** t) / (Math.sqrt(v[i] / (1 - 0.99 ** t)) + 1e-8)
      })
    })
    if (t % 25 === 0) console.log(`step ${t}  temperature ${tau.toFixed(2)}  ELBO ${value.toFixed(1)}`)
  }
}

// ---- Hard trees: draw a skeleton, prune it, evaluate it (Algorithm SampleHard) ----
interface Tree {
  readonly z: number
  readonly label: number // of an operator, or of a feature where there are no children
  readonly children: ReadonlyArray<Tree>
}
const category = (logits: Float32Array): number => {
  const noisy = logits.map((a) => a + gumbel())
  return noisy.indexOf(Math.max(...noisy))
}
/** Pruning is being lazy: what lies below a leaf, or to the right below one argument, is never drawn. */
const draw = (j: number, z = 0): Tree => {
  const at = j * N + z
  if (depthOf(z) === D || phi.l[at]! + logistic() < 0)
    return { z, label: category(phi.ft.subarray(at * p, (at + 1) * p)), children: [] }
  const label = category(phi.op.subarray(at * O, (at + 1) * O))
  return { z, label, children: [1, 2].slice(0, operators[label]!.arity).map((side) => draw(j, 2 * z + side)) }
}
const column = ({ label, children }: Tree): Float32Array => {
  if (children.length === 0) return features[label]!
  const [a, b = a] = children.map(column)
  return a!.map((x, i) => operators[label]!.hard(x, b![i]!))
}
const text = ({ label, children }: Tree): string => {
  if (children.length === 0) return `x${label}`
  const [a, b] = children.map(text).sort()
  return b === undefined ? `${operators[label]!.name}(${a})` : `${a}*${b}`
}

// ---- LMPSE = log p(y | T) + log prior of the trees, the weights of operators and features integrated out ----
const logFactorial = (k: number): number => (k < 2 ? 0 : Math.log(k) + logFactorial(k - 1))
const logPrior = (trees: ReadonlyArray<Tree>): number => {
  const counts = { operators: filled(O, () => 0), features: filled(p, () => 0) } // gamma and rho of the paper
  let log = 0
  const visit = ({ z, label, children }: Tree): void => {
    log += Math.log(children.length > 0 ? split(z) : 1 - split(z))
    counts[children.length > 0 ? "operators" : "features"][label]! += 1
    children.forEach(visit)
  }
  trees.forEach(visit)
  for (const c of Object.values(counts)) {
    // log B(1 + c) / B(1)
    const rest = c.length - 1
    log += logFactorial(rest) - logFactorial(rest + c.reduce((a, b) => a + b))
    for (const k of c) log += logFactorial(k)
  }
  return log
}
const top = (count: number): string => {
  const found = new Map<string, { readonly lmpse: number; readonly law: string }>()
  for (let s = 0; s < H; s++) {
    const trees = [...Array(K).keys()].map((j) => draw(j)).sort((a, b) => (text(a) < text(b) ? -1 : 1))
    const names = trees.map(text)
    if (found.has(names.join(" "))) continue
    const { mu, logEvidence } = collapse(trees.map(column))
    const law = names.map(
      (name, k) => ` ${mu[k + 1]! < 0 ? "-" : "+"} ${Math.abs(mu[k + 1]!).toFixed(2)} ${name}`,
    )
    found.set(names.join(" "), {
      lmpse: logEvidence + logPrior(trees),
      law: mu[0]!.toFixed(2) + law.join(""),
    })
  }
  const ranked = [...found.values()].sort((a, b) => b.lmpse - a.lmpse).slice(0, count)
  return ranked.map(({ lmpse, law }) => `${lmpse.toFixed(2).padStart(8)}   y = ${law}`).join("\n")
}

// Ranking many draws does most of the work: what training adds shows only beside the draws without it.
console.log(`best of ${H} draws before training\n${top(1)}\n`)
train()
console.log(`\nbest of ${H} draws after training\n${top(5)}`)
