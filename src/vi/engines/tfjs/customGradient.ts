import * as tf from "@tensorflow/tfjs-core"

/** The value of an operation of one tensor, the tensor kept for the backward pass, and the gradient by the operand. */
export interface WithGradient<T extends tf.Tensor> {
  readonly value: T
  readonly keep: tf.Tensor
  /** @param dy the gradient by the value */
  readonly pullback: (dy: tf.Tensor, kept: tf.Tensor) => tf.Tensor
}

export const customGradient = <T extends tf.Tensor>(
  run: (x: tf.Tensor) => WithGradient<T>,
): ((x: tf.Tensor) => T) =>
  tf.customGrad((...operands) => {
    // tfjs types the arguments of a custom gradient as tensors followed by the function that saves tensors for the
    // backward pass.
    const [x, save] = operands as unknown as [tf.Tensor, tf.GradSaveFunc]
    const { value, keep, pullback } = run(x)
    save([keep])
    return { value, gradFunc: (dy: tf.Tensor, [kept]: ReadonlyArray<tf.Tensor>) => pullback(dy, kept!) }
  })
