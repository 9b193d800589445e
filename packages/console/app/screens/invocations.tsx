import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import type { Invocation, Page, Proxy, Reactor } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { useFollowed } from '../api/use-followed.ts';
import { Badge, Choice, CopyAsCurl, Field, Head, Id, Table, Time } from '../parts/parts.tsx';
import { StageBar } from '../parts/stage-bar.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { texts } from '../texts.ts';

const words = texts.invocations;
const filters = ['outcome', 'subject', 'trace_id', 'status', 'started_after'] as const;
const size = 50;
/** More rows than anybody reads; older ones are in the list. */
const mostLive = 200;

/** What proxies and reactors did, the newest first, and what ends now. Filters are in the address. */
export function Invocations() {
  const [params, setParams] = useSearchParams();
  const [isLive, setLive] = useState(true);
  const query = filtersOf(params);
  const start = params.get('start');
  const live = useFollowed<Invocation>(
    isLive && start === null ? `/invocations/stream?${query.toString()}` : undefined,
    mostLive,
  );
  query.set('size', String(size));
  if (start !== null) query.set('start', start);
  const address = `/invocations?${query.toString()}`;
  const read = useRead<Page<Invocation>>(address);
  return (
    <>
      <Head title={texts.nav.invocations}>
        <button type="button" className="button" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? words.pause : words.live}
        </button>
        <Link href="/invocations/asynchronous">{texts.asynchronous.title}</Link>
        <CopyAsCurl request={`GET ${address}`} />
      </Head>
      <Filters key={params.toString()} params={params} apply={(next) => setParams(next)} />
      {live.error !== undefined && <Failure error={live.error} />}
      {live.hasSkipped && (
        <p className="note" role="status">
          {words.skipped}
        </p>
      )}
      <Loaded query={read}>
        {({ data, pagination }) => (
          <>
            <Rows invocations={together(start === null ? live.items : [], data)} />
            <div className="pager">
              {start !== null && (
                <button
                  type="button"
                  className="button"
                  onClick={() => setParams(changed(params, 'start', undefined))}
                >
                  {texts.actions.newest}
                </button>
              )}
              {pagination.next !== undefined && (
                <button
                  type="button"
                  className="button"
                  onClick={() => setParams(changed(params, 'start', pagination.next))}
                >
                  {texts.actions.older}
                </button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

function filtersOf(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of filters) {
    const value = params.get(name);
    if (value !== null && value !== '') query.set(name, value);
  }
  return query;
}

/** What came live before what was read; some are in both. */
function together(live: readonly Invocation[], read: readonly Invocation[]): readonly Invocation[] {
  const known = new Set(live.map(({ id }) => id));
  return [...live, ...read.filter(({ id }) => !known.has(id))];
}

function changed(params: URLSearchParams, name: string, value: string | undefined): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return next;
}

export function Rows({ invocations }: { readonly invocations: readonly Invocation[] }) {
  if (invocations.length === 0) return <Empty>{words.none}</Empty>;
  const longest = Math.max(...invocations.map(({ duration_ms: ms }) => ms));
  return (
    <Table
      label={texts.nav.invocations}
      rows={invocations}
      columns={[
        [
          'Began',
          ({ id, started_at: at }) => (
            <Link href={`/invocations/${id}`}>
              <Time at={at} />
            </Link>
          ),
        ],
        ['Outcome', (one) => <Outcome invocation={one} />],
        ['Of', ({ subject }) => <Subject subject={subject} />],
        ['Status', ({ status }) => status ?? '–'],
        ['Time', ({ duration_ms: ms }) => <span className="nowrap">{ms.toLocaleString()} ms</span>],
        ['Where it went', ({ stages }) => <StageBar stages={stages} longest={longest} />],
        ['Destination', ({ destination }) => <span className="clip">{destination?.url ?? '–'}</span>],
        ['Trace', ({ trace_id: id }) => <Id value={id} />],
      ]}
    />
  );
}

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
    <Link href={`${path}/${id}`} className="clip" title={id}>
      {name ?? (
        <>
          {type} <Id value={id} />
        </>
      )}
    </Link>
  );
}

function Filters({
  params,
  apply,
}: {
  readonly params: URLSearchParams;
  readonly apply: (next: URLSearchParams) => void;
}) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(filters.map((name) => [name, params.get(name) ?? ''])),
  );
  const set = (name: string) => (value: string) => setValues((before) => ({ ...before, [name]: value }));
  const field = (name: (typeof filters)[number], label: string) => (
    <Field label={label} value={values[name] ?? ''} onChange={set(name)} />
  );
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply(new URLSearchParams(Object.entries(values).filter(([, value]) => value.trim() !== '')));
      }}
    >
      <Choice
        label="Outcome"
        value={values['outcome'] ?? ''}
        options={[['', 'any'], ...Object.entries(words.outcomes)]}
        onChange={set('outcome')}
      />
      {field('subject', 'Proxy or reactor (id)')}
      {field('status', 'Status')}
      {field('trace_id', 'Trace id')}
      {field('started_after', 'Began after')}
      <button type="submit" className="button primary">
        {texts.actions.apply}
      </button>
      <button type="button" className="button" onClick={() => apply(new URLSearchParams())}>
        {texts.actions.clear}
      </button>
    </form>
  );
}
