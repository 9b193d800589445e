import { percentileOf } from '@glovebox/platform/values/duration-classes';

import type { TrafficPoint } from '../../audit/vault-sources.ts';
import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import { readBacklog } from '../../publication/outbox.ts';
import type { Dependencies } from '../dependencies.ts';

const hourMs = 60 * 60_000;
const periods = {
  hour: { ms: hourMs, step: 300 },
  day: { ms: 24 * hourMs, step: 300 },
  week: { ms: 7 * 24 * hourMs, step: 3600 },
  month: { ms: 30 * 24 * hourMs, step: 3600 },
} as const;
const names = Object.keys(periods) as (keyof typeof periods)[];

/** What the tenant's requests met with, over time (contract/tenants.md#traffic). */
export async function getTrafficReport(
  { postgres, usage }: Dependencies,
  { principal: { tenantId }, query, correlationId }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const period = reader.oneOf('period', names) ?? 'day';
  reader.done();
  const { ms, step } = periods[period];
  const now = Date.now();
  // The first step is a whole one.
  const from = new Date(Math.ceil((now - ms) / (step * 1000)) * step * 1000);
  const [points, { ageSeconds }] = await Promise.all([
    usage.trafficOf(tenantId, step, from, correlationId),
    readBacklog(postgres),
  ]);
  const body = {
    start_date: from.toISOString(),
    end_date: new Date(now).toISOString(),
    step_seconds: step,
    totals: show(sumOf(points)),
    points: points.map((point) => show(point, point.at)),
    publication_lag_seconds: Math.round(ageSeconds * 1000) / 1000,
  };
  return { status: 200, body };
}

type Figures = Omit<TrafficPoint, 'at'>;

function show({ requests, errors, refused, killed, leaks, durations }: Figures, at?: Date): object {
  return {
    at: at?.toISOString(),
    requests,
    errors,
    refused,
    killed,
    leaks,
    p50_ms: rounded(percentileOf(durations, 0.5)),
    p99_ms: rounded(percentileOf(durations, 0.99)),
  };
}

const rounded = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms * 10) / 10);

function sumOf(points: readonly Figures[]): Figures {
  const sum = (of: (point: Figures) => number) => points.reduce((total, point) => total + of(point), 0);
  const classes = Math.max(0, ...points.map(({ durations }) => durations.length));
  return {
    requests: sum(({ requests }) => requests),
    errors: sum(({ errors }) => errors),
    refused: sum(({ refused }) => refused),
    killed: sum(({ killed }) => killed),
    leaks: sum(({ leaks }) => leaks),
    durations: Array.from({ length: classes }, (_, at) => sum(({ durations }) => durations[at] ?? 0)),
  };
}
