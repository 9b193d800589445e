import { FrequentTimings } from '@glovebox/platform/telemetry/frequent-timings';
import {
  Counter,
  Histogram,
  type MetricsRegistry,
  durationBuckets,
} from '@glovebox/platform/telemetry/metrics';

/** Counts and times requests by route, method and status. */
export type RequestSeries = (route: string, method: string, status: number, seconds: number) => void;

type Series = FrequentTimings<'route' | 'method' | 'status', 'route'>;

export function createRequestSeries(metrics: MetricsRegistry): RequestSeries {
  const known: Series[] = [];
  const collect = () => {
    for (const series of known) series.handOn();
  };
  const requests = new Counter({
    name: 'glovebox_http_requests_total',
    help: 'Requests by route and status',
    labelNames: ['route', 'method', 'status'],
    registers: [metrics],
    collect,
  });
  const durations = new Histogram({
    name: 'glovebox_http_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer',
    labelNames: ['route'],
    buckets: durationBuckets,
    registers: [metrics],
    collect,
  });
  const byRoute = new Map<string, Map<string, Map<number, Series>>>();
  return (route, method, status, seconds) => {
    const byStatus = entryOf(entryOf(byRoute, route), method);
    let series = byStatus.get(status);
    if (series === undefined) {
      series = new FrequentTimings(requests, { route, method, status }, durations, { route });
      byStatus.set(status, series);
      known.push(series);
    }
    series.observe(seconds);
  };
}

function entryOf<Key, Inner, Value>(map: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  let entry = map.get(key);
  if (entry === undefined) map.set(key, (entry = new Map()));
  return entry;
}
