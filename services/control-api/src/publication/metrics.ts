import {
  Counter,
  Gauge,
  Histogram,
  type MetricsRegistry,
  durationBuckets,
} from '@glovebox/platform/telemetry/metrics';
import { type EventMetrics, createEventMetrics } from '@glovebox/published/event-metrics';

export interface PublisherMetrics {
  readonly published: Counter;
  readonly lag: Histogram;
  readonly rebuilds: Counter;
  readonly failures: Counter;
  readonly backlogEntries: Gauge;
  readonly backlogAge: Gauge;
  readonly events: EventMetrics;
}

export function createPublisherMetrics(registry: MetricsRegistry): PublisherMetrics {
  const registers = [registry];
  return {
    events: createEventMetrics(registry),
    published: new Counter({
      name: 'glovebox_outbox_published_total',
      help: 'Outbox entries that were published.',
      registers,
    }),
    lag: new Histogram({
      name: 'glovebox_publication_lag_seconds',
      help: 'Time from a change to its publication.',
      buckets: durationBuckets,
      registers,
    }),
    rebuilds: new Counter({
      name: 'glovebox_projection_rebuilds_total',
      help: 'Times that the projection was rebuilt from the database.',
      registers,
    }),
    failures: new Counter({
      name: 'glovebox_outbox_failures_total',
      help: 'Attempts to publish that failed and will be repeated.',
      registers,
    }),
    backlogEntries: new Gauge({
      name: 'glovebox_outbox_entries',
      help: 'Outbox entries that wait to be published.',
      registers,
    }),
    backlogAge: new Gauge({
      name: 'glovebox_outbox_age_seconds',
      help: 'Age of the oldest outbox entry.',
      registers,
    }),
  };
}
