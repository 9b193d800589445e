import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import type { LogEntry } from '../api/models.ts';
import { usePages } from '../api/use-pages.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Choice, Field } from '../parts/fields.tsx';
import { Filters, momentOf, queryOf } from '../parts/filters.tsx';
import { Listed } from '../parts/listed.tsx';
import { Action, Badge, Head, Id, Time } from '../parts/parts.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { AuditExport } from './audit-export.tsx';

const words = texts.audit;
const filters = [
  'outcome',
  'operation',
  'entity_type',
  'entity_id',
  'actor_id',
  'destination',
  'trace_id',
  'start_date',
  'end_date',
] as const;
const size = 100;

/** Who did what, with which value, and where it went. Filters are in the address. */
export function Audit() {
  const right = useRight('log:read');
  const [params, setParams] = useSearchParams();
  const [isExporting, setExporting] = useState(false);
  const query = queryOf(params, filters);
  for (const name of ['start_date', 'end_date']) {
    const moment = query.get(name);
    if (moment !== null) query.set(name, momentOf(moment));
  }
  query.set('size', String(size));
  const address = `/logs?${query.toString()}`;
  // By cursor: numbers of pages would be counted.
  const pages = usePages<LogEntry>(`${address}&start=`);
  return (
    <>
      <Head title={texts.nav.audit}>
        <CopyAs request={`GET ${address}`} cli={cliOf(query)} />
        <Action right={right} onClick={() => setExporting(true)}>
          {texts.exports.open}
        </Action>
      </Head>
      <Filters key={params.toString()} names={filters} params={params} apply={setParams}>
        {({ value, set }) => (
          <>
            <Choice
              label={words.outcome}
              value={value('outcome')}
              options={outcomes}
              onChange={set('outcome')}
            />
            {fields.map(([name, label]) => (
              <Field key={name} label={label} value={value(name)} onChange={set(name)} />
            ))}
            {moments.map(([name, label]) => (
              <Field
                key={name}
                label={label}
                type="datetime-local"
                value={value(name)}
                onChange={set(name)}
              />
            ))}
          </>
        )}
      </Filters>
      <Listed pages={pages} label={texts.nav.audit} columns={columns} empty={words.none} />
      {isExporting && <AuditExport onClose={() => setExporting(false)} />}
    </>
  );
}

const outcomes = [
  ['', words.any],
  ['allowed', words.allowed],
  ['denied', words.denied],
] as const;
const fields = [
  ['operation', words.operation],
  ['entity_type', words.kind],
  ['entity_id', words.thingId],
  ['actor_id', words.actorId],
  ['destination', words.destination],
  ['trace_id', words.traceId],
] as const;
const moments = [
  ['start_date', words.from],
  ['end_date', words.to],
] as const;

/** What of the filters the command line knows. */
function cliOf(query: URLSearchParams): readonly string[] {
  const flags = [
    ['--outcome', 'outcome'],
    ['--operation', 'operation'],
    ['--subject', 'entity_id'],
    ['--actor', 'actor_id'],
    ['--destination', 'destination'],
    ['--trace-id', 'trace_id'],
  ] as const;
  return ['logs', ...flags.flatMap(([flag, name]) => (query.has(name) ? [flag, query.get(name) ?? ''] : []))];
}

const columns: readonly (readonly [title: string, cell: (entry: LogEntry) => React.ReactNode])[] = [
  [words.when, ({ created_at: at }) => <Time at={at} />],
  [words.what, (entry) => <What entry={entry} />],
  [words.thing, (entry) => <Thing entry={entry} />],
  [
    words.who,
    ({ actor_id: id, actor_type: type }) => (
      <span className="nowrap">
        {type} {id !== undefined && <Id value={id} />}
      </span>
    ),
  ],
  [words.destination, ({ destination }) => <span className="nowrap">{destination ?? '–'}</span>],
  [words.rule, ({ rule }) => rule ?? '–'],
  [words.clientAddress, ({ client_address: address }) => address ?? '–'],
  [
    words.trace,
    ({ trace_id: id }) =>
      id === undefined ? (
        '–'
      ) : (
        <Link href={`/invocations?trace_id=${encodeURIComponent(id)}`}>
          <Id value={id} />
        </Link>
      ),
  ],
];

function What({ entry: { message, outcome, reason, count, purpose } }: { readonly entry: LogEntry }) {
  return (
    <>
      {shortened(message, purpose?.id)} <Purpose purpose={purpose} />{' '}
      {count !== undefined && <span className="soft">× {count}</span>}{' '}
      {outcome === 'denied' ? (
        <Badge tone="bad">{reason === undefined ? words.denied : `${words.denied}: ${reason}`}</Badge>
      ) : (
        reason !== undefined && <q>{reason}</q>
      )}
    </>
  );
}

/** The message without the id of what it was done for, which follows as a link. */
function shortened(message: string, id: string | undefined): string {
  return id === undefined ? message : message.replace(id, '').trim();
}

function Purpose({ purpose }: { readonly purpose: LogEntry['purpose'] | undefined }) {
  if (purpose?.id === undefined) return null;
  const page = pagesOfThings[purpose.type];
  const id = <Id value={purpose.id} />;
  return page === undefined ? id : <Link href={page + encodeURIComponent(purpose.id)}>{id}</Link>;
}

const pagesOfThings: Readonly<Record<string, string>> = {
  proxy: '/proxies/',
  reactor: '/reactors/',
  reactor_formula: '/formulas/',
  application: '/applications/',
  webhook: '/webhooks/',
  token: '/tokens/',
};

/** What the entry is about, with a way to its page. */
function Thing({ entry: { entity_type: type, entity_id: id, operation } }: { readonly entry: LogEntry }) {
  const page = pagesOfThings[type];
  if (page === undefined || operation === 'delete') return <Id value={id} />;
  return (
    <Link href={`${page}${encodeURIComponent(id)}`}>
      <Id value={id} />
    </Link>
  );
}
