/** Spans and metrics of this process in OpenTelemetry's protocol, where the environment names a collector. */
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Watch from "../infer/Watch.ts"

/**
 * Exports to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`, by the usual variables of OpenTelemetry. Spans that are not sent when the
 * layer closes are sent then.
 *
 * @param version that of vasst
 */
export const layer = (version: string) => {
  // The default of OpenTelemetry, which is not that of Effect.
  process.env["OTEL_TRACES_EXPORTER"] ??= "otlp"
  process.env["OTEL_METRICS_EXPORTER"] ??= "otlp"
  const settings = { resource: { serviceName: "vasst", serviceVersion: version } }
  return Layer.mergeAll(
    OtlpTracer.layerFromConfig(settings),
    OtlpMetrics.layerFromConfig(settings),
    Watch.layer,
  ).pipe(Layer.provide([FetchHttpClient.layer, OtlpSerialization.layerJson]))
}
