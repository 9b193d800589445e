import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import type { Invocation } from '../api/invocation-models.ts';
import type { Page, Proxy, Reactor } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { useFollowed } from '../api/use-followed.ts';
import { usePages } from '../api/use-pages.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Choice, Field } from '../parts/fields.tsx';
import { type FilterForm, Filters, momentOf, queryOf } from '../parts/filters.tsx';
import { Listed } from '../parts/listed.tsx';
import { Badge, Head, Id, Time } from '../parts/parts.tsx';
import { StageBar } from '../parts/stage-bar.tsx';
import { Failure } from '../parts/states.tsx';
import { texts } from '../texts.ts';

const words = texts.invocations;
const filters = ['outcome', 'subject', 'trace_id', 'status', 'started_after'] as const;
const size = 50;
/** As many as the service keeps of a tenant. */
const mostLive = 2000;

/** What proxies and reactors did, the newest first, and what ends now. Filters are in the address. */
export function Invocations() {
  const [params, setParams] = useSearchParams();
  const [isLive, setLive] = useState(true);
  const query = queryOf(params, filters);
  const after = query.get('started_after');
  if (after !== null) query.set('started_after', momentOf(after));
  const stream = `/invocations/stream?${query.toString()}`;
  const live = useFollowed<Invocation>(isLive ? stream : undefined, mostLive);
  const { shown, waiting } = useHeld(live.items);
  query.set('size', String(size));
  const address = `/invocations?${query.toString()}`;
  const pages = usePages<Invocation>(address);
  return (
    <>
      <Head title={texts.nav.invocations}>
        <button type="button" className="button" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? words.pause : words.live}
        </button>
        <Link href="/invocations/asynchronous">{texts.asynchronous.title}</Link>
        <CopyAs request={`GET ${address}`} cli={cliOf(query, isLive)} />
      </Head>
      <Filters key={params.toString()} names={filters} params={params} apply={setParams}>
        {fieldsOf}
      </Filters>
      {live.error !== undefined && pages.error === null && <Failure error={live.error} />}
      {live.hasSkipped && (
        <p className="note" role="status">
          {words.skipped}
        </p>
      )}
      {waiting > 0 && (
        <button type="button" className="button primary newer" onClick={() => window.scrollTo({ top: 0 })}>
          {words.newer(waiting)}
        </button>
      )}
      <Listed
        pages={pages}
        newer={shown}
        label={texts.nav.invocations}
        columns={columnsFor(longestOf([...shown, ...(pages.rows ?? [])]))}
        empty={words.none}
      />
    </>
  );
}

function fieldsOf({ value, set }: FilterForm) {
  return (
    <>
      <Choice label={words.outcome} value={value('outcome')} options={outcomes} onChange={set('outcome')} />
      <Field label={words.subject} value={value('subject')} onChange={set('subject')} />
      <Field label={words.status} value={value('status')} onChange={set('status')} />
      <Field label={words.traceId} value={value('trace_id')} onChange={set('trace_id')} />
      <Field
        label={words.after}
        type="datetime-local"
        value={value('started_after')}
        onChange={set('started_after')}
      />
    </>
  );
}

const outcomes = [['', words.any], ...Object.entries(words.outcomes)] as const;

const longestOf = (all: readonly Invocation[]) =>
  all.reduce((longest, { duration_ms: ms }) => Math.max(longest, ms), 1);

function cliOf(query: URLSearchParams, isLive: boolean): readonly string[] {
  const flags = [
    ['--outcome', 'outcome'],
    ['--subject', 'subject'],
    ['--status', 'status'],
    ['--trace-id', 'trace_id'],
  ] as const;
  const given = flags.flatMap(([flag, name]) => (query.has(name) ? [flag, query.get(name) ?? ''] : []));
  return ['invocations', ...given, ...(isLive ? ['--follow'] : [])];
}

/** Beyond this, somebody reads what is below. */
const readingPx = 160;

/** Whoever has scrolled down reads: what comes meanwhile waits, so that nothing moves. */
function useHeld(items: readonly Invocation[]) {
  const [isReading, setReading] = useState(false);
  const [held, setHeld] = useState(items);
  useEffect(() => {
    const look = () => setReading(window.scrollY > readingPx);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    if (!isReading) setHeld(items);
  }, [isReading, items]);
  const shown = isReading ? held : items;
  const newest = shown[0];
  const at = newest === undefined ? items.length : items.findIndex(({ id }) => id === newest.id);
  return { shown, waiting: isReading ? Math.max(0, at) : 0 };
}

type Column = readonly [title: string, cell: (one: Invocation) => React.ReactNode];

/** @param longest milliseconds that fill a bar */
const columnsFor = (longest: number): readonly Column[] => [
  [
    words.began,
    ({ id, started_at: at }) => (
      <Link href={`/invocations/${id}`}>
        <Time at={at} />
      </Link>
    ),
  ],
  [words.outcome, (one) => <Outcome invocation={one} />],
  [
    words.of,
    ({ subject }) => (
      <span className="one-line">
        <Subject subject={subject} />
      </span>
    ),
  ],
  [words.status, ({ status }) => status ?? '–'],
  [words.time, ({ duration_ms: ms }) => <span className="nowrap">{ms.toLocaleString()} ms</span>],
  [words.stagesTitle, ({ stages }) => <StageBar stages={stages} longest={longest} />],
  [
    words.destination,
    ({ destination }) => (
      <span className="one-line" title={destination?.url}>
        {destination?.url ?? '–'}
      </span>
    ),
  ],
  [words.trace, ({ trace_id: id }) => <Id value={id} />],
];

export function Outcome({ invocation: { outcome, error, logged } }: { readonly invocation: Invocation }) {
  const tone = outcome === 'failed' ? 'bad' : outcome === 'refused' ? 'warn' : undefined;
  const { code, line } = error ?? {};
  const said = [code, line === undefined ? undefined : words.line(line), logged ? words.logged : undefined];
  return (
    <span className="nowrap">
      {tone === undefined ? words.outcomes[outcome] : <Badge tone={tone}>{words.outcomes[outcome]}</Badge>}{' '}
      <span className="soft">{said.filter((one) => one !== undefined).join(' · ')}</span>
    </span>
  );
}

/** A link to what was invoked, by its name where it is among the first hundred. */
export function Subject({ subject: { type, id } }: Pick<Invocation, 'subject'>) {
  const path = type === 'proxy' ? '/proxies' : '/reactors';
  const named = useRead<Page<Proxy | Reactor>>(`${path}?size=100`);
  if (id === undefined) return <span className="soft">{words.ephemeral}</span>;
  const name = named.data?.data.find((one) => one.id === id)?.name;
  return (
    <Link href={`${path}/${id}`} className="clip" title={name === undefined ? id : `${name} (${id})`}>
      {name ?? (
        <>
          {type} <Id value={id} />
        </>
      )}
    </Link>
  );
}
