import { Counter, Gauge, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { RefusalReason } from './record-signature.ts';

const reasons: readonly RefusalReason[] = ['unsigned', 'signature', 'superseded', 'marker'];

export interface PublishedMetrics {
  refused(reason: RefusalReason): void;
}

/** @param markerSignedAt of the latest marker that was seen, in milliseconds */
export function createPublishedMetrics(
  registry: MetricsRegistry,
  markerSignedAt: () => number | undefined,
): PublishedMetrics {
  const registers = [registry];
  const refused = new Counter({
    name: 'glovebox_published_records_refused_total',
    help: 'Published records and markers that control-api has not signed as they are, or not as the latest, by reason.',
    labelNames: ['reason'],
    registers,
  });
  // A series that appears with its first refusal would show no increase.
  for (const reason of reasons) refused.inc({ reason }, 0);
  registry.registerMetric(
    new Gauge({
      name: 'glovebox_published_marker_age_seconds',
      help: 'Age of the latest signature of control-api under the published configuration as a whole.',
      registers: [],
      collect() {
        const signedAt = markerSignedAt();
        if (signedAt !== undefined) this.set(Math.max(0, (Date.now() - signedAt) / 1000));
      },
    }),
  );
  return { refused: (reason) => refused.inc({ reason }) };
}
