/**
 * Tracing of one process, configured by the standard OTEL_* variables of the OpenTelemetry specification ("Environment
 * Variable Specification"). Without an OTLP endpoint or an exporter the SDK is not even loaded: spans are then no-ops
 * and cost nothing. Metrics are Prometheus' own (metrics.ts), logs are pino's.
 */

import { recordSpans } from './tracing.ts';

/** Ends the export after sending the buffered spans. */
export interface Telemetry {
  stop(): Promise<void>;
}

const idle: Telemetry = { stop: () => Promise.resolve() };

export async function startTelemetry(serviceName: string, env = process.env): Promise<Telemetry> {
  if (!exportIsAskedFor(env)) return idle;
  env['OTEL_SERVICE_NAME'] ??= serviceName;
  env['OTEL_METRICS_EXPORTER'] ??= 'none';
  env['OTEL_LOGS_EXPORTER'] ??= 'none';
  // Host and process attributes would be on every export; the operator's attributes are enough.
  env['OTEL_NODE_RESOURCE_DETECTORS'] ??= 'env';
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ instrumentations: [] });
  sdk.start();
  recordSpans();
  return { stop: () => sdk.shutdown() };
}

function exportIsAskedFor(env: NodeJS.ProcessEnv): boolean {
  if (env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return false;
  return ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    (name) => (env[name] ?? '') !== '',
  );
}
