import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { type EgressViolation, EgressViolations } from '@glovebox/published/egress-violations';
import { type ResponseLeak, ResponseLeaks } from '@glovebox/published/response-leaks';
import { egressReporter } from '@glovebox/vault-client/egress-reporter';
import { leakReporter } from '@glovebox/vault-client/leak-reporter';
import { Traffic, trafficReporter } from '@glovebox/vault-client/traffic';

/** Counts what the vault records in the audit log besides uses, and reports it. Disposing it reports the rest. */
export function connectReports(
  channel: GrpcChannel,
  metrics: MetricsRegistry,
  logger: Logger,
): AsyncDisposable & {
  noteViolation(this: void, violation: EgressViolation): void;
  noteLeak(this: void, leak: ResponseLeak): void;
  readonly traffic: Traffic;
} {
  const violations = new EgressViolations({
    report: egressReporter(channel),
    onLost: (err) => logger.warn({ err }, 'a violation of an egress policy is not recorded yet'),
    metrics,
  });
  const leaks = new ResponseLeaks({
    report: leakReporter(channel),
    onLost: (err) => logger.warn({ err }, 'a leak is not recorded yet'),
    metrics,
  });
  const traffic = new Traffic({
    report: trafficReporter(channel),
    onLost: (err) => logger.warn({ err }, 'the figures of some seconds are lost'),
  });
  return {
    traffic,
    noteViolation: (violation) => violations.note(violation),
    noteLeak: (leak) => leaks.note(leak),
    async [Symbol.asyncDispose]() {
      await Promise.all([violations, leaks, traffic].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
