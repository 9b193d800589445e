import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

const reasons = ['buffer', 'inbox', 'redis', 'old'] as const;

export interface EventMetrics {
  handedOn(count: number): void;
  /**
   * @param reason `buffer`: the process holds too many, or too many of the tenant; `inbox`: the inbox has no room;
   * `redis`: it is away; `old`: a day has passed
   */
  lost(reason: (typeof reasons)[number], count: number): void;
}

export function createEventMetrics(registry: MetricsRegistry): EventMetrics {
  const registers = [registry];
  const handedOn = new Counter({
    name: 'glovebox_events_handed_on_total',
    help: 'Events that were put into the inbox from which they are delivered.',
    registers,
  });
  const lost = new Counter({
    name: 'glovebox_events_lost_total',
    help: 'Events that were dropped before delivery, by reason.',
    labelNames: ['reason'],
    registers,
  });
  // A series that appears with its first loss would show no increase.
  for (const reason of reasons) lost.inc({ reason }, 0);
  return {
    handedOn: (count) => handedOn.inc(count),
    lost: (reason, count) => lost.inc({ reason }, count),
  };
}
