import { useState } from 'react';
import { Link } from 'wouter';

import { useRead } from '../api/use-api.ts';
import { Choice } from '../parts/fields.tsx';
import { Loaded } from '../parts/states.tsx';
import { texts } from '../texts.ts';

interface Figures {
  readonly requests: number;
  readonly errors: number;
  readonly refused: number;
  readonly killed: number;
  readonly leaks: number;
  readonly p50_ms?: number;
  readonly p99_ms?: number;
}

interface Report {
  readonly start_date: string;
  readonly end_date: string;
  readonly step_seconds: number;
  readonly totals: Figures;
  readonly points: readonly (Figures & { readonly at: string })[];
  readonly publication_lag_seconds: number;
}

const periods = ['hour', 'day', 'week', 'month'] as const;

/** What the tenant's requests met with, as small pictures; where a number can be looked into, it leads there. */
export function Health() {
  const [period, setPeriod] = useState<string>('day');
  const read = useRead<Report>(`/tenants/self/reports/traffic?period=${period}`);
  return (
    <section aria-labelledby="health">
      <h2 id="health">{texts.health.title}</h2>
      <Choice
        label={texts.health.period}
        value={period}
        options={periods.map((one) => [one, texts.health.periods[one]])}
        onChange={setPeriod}
      />
      <Loaded query={read}>{(report) => <Pictures report={report} />}</Loaded>
    </section>
  );
}

function Pictures({ report }: { readonly report: Report }) {
  const { totals, publication_lag_seconds: lag } = report;
  const { health } = texts;
  const shared = { report };
  return (
    <div className="pictures">
      <Count {...shared} title={health.requests} of="requests" />
      <Count {...shared} title={health.errors} of="errors" bad />
      <Times report={report} />
      <Count {...shared} title={health.refused} of="refused" bad href="/audit?outcome=denied" />
      <Count {...shared} title={health.leaks} of="leaks" bad href="/audit?entity_type=leak" />
      <Count {...shared} title={health.killed} of="killed" bad />
      <figure className="picture">
        <figcaption>{health.lag}</figcaption>
        <strong className={lag > 10 ? 'bad' : undefined}>{lag < 0.05 ? health.none : `${lag} s`}</strong>
        {lag >= 0.05 && <span className="soft">{health.lagHint}</span>}
      </figure>
      {totals.requests === 0 && <p className="soft">{health.quiet}</p>}
    </div>
  );
}

const width = 240;
const height = 48;

/** Where a point is from the left. */
function placer({ start_date: start, end_date: end }: Report) {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return (at: string) => (width * (Date.parse(at) - from)) / Math.max(1, to - from);
}

function Count({
  report,
  title,
  of,
  bad,
  href,
}: {
  readonly report: Report;
  readonly title: string;
  readonly of: 'requests' | 'errors' | 'refused' | 'killed' | 'leaks';
  readonly bad?: boolean;
  readonly href?: string;
}) {
  const { points, totals, step_seconds: step } = report;
  const total = totals[of];
  const most = Math.max(1, ...points.map((point) => point[of]));
  const x = placer(report);
  const wide = Math.max(
    1.5,
    (width * step * 1000) / (Date.parse(report.end_date) - Date.parse(report.start_date)) - 0.5,
  );
  return (
    <figure className="picture">
      <figcaption>{href === undefined ? title : <Link href={href}>{title}</Link>}</figcaption>
      <strong className={bad === true && total > 0 ? 'bad' : undefined}>{total.toLocaleString()}</strong>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.health.summary(title, total)}
      >
        <line className="base" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
        {points
          .filter((point) => point[of] > 0)
          .map((point) => {
            const tall = Math.max(1.5, (height - 2) * (point[of] / most));
            return (
              <rect
                key={point.at}
                className={bad === true ? 'bad' : 'good'}
                x={x(point.at)}
                y={height - tall}
                width={wide}
                height={tall}
              >
                <title>{`${new Date(point.at).toLocaleString()}: ${point[of]}`}</title>
              </rect>
            );
          })}
      </svg>
    </figure>
  );
}

/** Both on one logarithmic scale: the slow ones are far off. */
function Times({ report }: { readonly report: Report }) {
  const { points, totals } = report;
  const x = placer(report);
  const y = (ms: number) => height - 2 - ((height - 4) * Math.log10(Math.max(1, ms))) / Math.log10(30_000);
  const lineOf = (of: 'p50_ms' | 'p99_ms') =>
    points.flatMap((point) => (point[of] === undefined ? [] : [`${x(point.at)},${y(point[of])}`])).join(' ');
  const shown = (ms: number | undefined) => (ms === undefined ? '–' : `${ms.toLocaleString()} ms`);
  const { times, timesSummary } = texts.health;
  return (
    <figure className="picture">
      <figcaption>{times}</figcaption>
      <strong>
        {shown(totals.p50_ms)} <span className="soft">/ {shown(totals.p99_ms)}</span>
      </strong>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={timesSummary(shown(totals.p50_ms), shown(totals.p99_ms))}
      >
        <line className="base" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
        <polyline className="p50" points={lineOf('p50_ms')} />
        <polyline className="p99" points={lineOf('p99_ms')} />
      </svg>
    </figure>
  );
}
