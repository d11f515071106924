// @tensorflow/tfjs-node is optional. Declared here, so that the sources compile alike where it is not installed;
// it is imported only for its effect, which is to register the `tensorflow` backend with tfjs-core.
declare module "@tensorflow/tfjs-node" {
  const tfjsNode: unknown
  export default tfjsNode
}
