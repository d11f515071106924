import * as tf from "@tensorflow/tfjs-core"
import type { Algebra } from "../../../numeric/Algebra.ts"
import * as Special from "../../../numeric/Special.ts"
import { customGradient } from "./customGradient.ts"

/** Applies a float64 function to a small tensor on the host. */
const onHost = (x: tf.Tensor, f: (value: number) => number): tf.Tensor =>
  tf.tensor(Float32Array.from(x.dataSync(), f), x.shape, "float32")

/**
 * A special function with its derivative. tfjs has no kernels for these. They are applied to a few concentrations, for
 * which the host's float64 implementation is fast enough.
 */
const special = (f: (value: number) => number, derivative: (value: number) => number) =>
  customGradient((x) => ({
    value: onHost(x, f),
    keep: x,
    pullback: (dy, kept) => tf.mul(dy, onHost(kept, derivative)),
  }))

const lgamma = special(Special.lgamma, Special.digamma)
const digamma = special(Special.digamma, Special.trigamma)

const guardThreshold = 1e-6

const guard = (x: tf.Tensor): tf.Tensor =>
  tf.where(tf.greaterEqual(x, 0), tf.maximum(x, guardThreshold), tf.minimum(x, -guardThreshold))

/**
 * tfjs tensors (float32) as an algebra: everything is differentiable by tfjs. Operations are called as functions: the
 * methods of tensors exist only if the umbrella package is loaded, as tfjs-node does.
 */
export const algebra: Algebra<tf.Tensor> = {
  literal: (value) => tf.scalar(value, "float32"),
  array: (values, shape) => tf.tensor([...values], [...shape], "float32"),
  unary: {
    neg: (x) => tf.neg(x),
    square: (x) => tf.square(x),
    sqrt: (x) => tf.sqrt(x),
    abs: (x) => tf.abs(x),
    // The sign of the wasm backend is 0 within 1e-7 of 0; scaling does not change a sign, and overflow keeps it.
    sign: (x) => tf.sign(tf.mul(x, 1e38)),
    exp: (x) => tf.exp(x),
    log: (x) => tf.log(x),
    sin: (x) => tf.sin(x),
    cos: (x) => tf.cos(x),
    tan: (x) => tf.tan(x),
    tanh: (x) => tf.tanh(x),
    asin: (x) => tf.asin(x),
    acos: (x) => tf.acos(x),
    atan: (x) => tf.atan(x),
    guard,
  },
  binary: {
    add: (x, y) => tf.add(x, y),
    sub: (x, y) => tf.sub(x, y),
    mul: (x, y) => tf.mul(x, y),
    div: (x, y) => tf.div(x, y),
    pow: (x, y) => tf.pow(x, y),
    min: (x, y) => tf.minimum(x, y),
    max: (x, y) => tf.maximum(x, y),
  },
  softplus: (x) => tf.softplus(x),
  clamp: (x, low, high) => tf.clipByValue(x, low, high),
  sigmoid: (x) => tf.sigmoid(x),
  lgamma: (x) => lgamma(x),
  digamma: (x) => digamma(x),
  stopGradient: customGradient((x) => ({ value: tf.clone(x), keep: x, pullback: tf.zerosLike })),
  sumLast: (x) => tf.sum(x, -1),
  sumAll: (x) => tf.sum(x),
  expandLast: (x) => tf.expandDims(x, -1),
  softmaxLast: (x) => tf.softmax(x),
  logSoftmaxLast: (x) => tf.logSoftmax(x),
}
