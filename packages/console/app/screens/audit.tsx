import { useState } from 'react';
import { useSearchParams } from 'wouter';

import type { LogEntry, Page } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Badge, Choice, CopyAsCurl, Field, Head, Id, Table, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { texts } from '../texts.ts';

const filters = [
  'outcome',
  'operation',
  'entity_type',
  'entity_id',
  'actor_id',
  'destination',
  'trace_id',
] as const;
const size = 50;

/** Who did what, with which value, and where it went. Filters are in the address. */
export function Audit() {
  const [params, setParams] = useSearchParams();
  const query = new URLSearchParams({ size: String(size) });
  for (const name of [...filters, 'start']) {
    const value = params.get(name);
    if (value !== null && value !== '') query.set(name, value);
  }
  const address = `/logs?${query.toString()}`;
  const read = useRead<Page<LogEntry>>(address);
  return (
    <>
      <Head title={texts.nav.audit}>
        <CopyAsCurl request={`GET ${address}`} />
      </Head>
      <Filters key={params.toString()} params={params} apply={(next) => setParams(next)} />
      <Loaded query={read}>
        {({ data, pagination }) => (
          <>
            {data.length === 0 ? <Empty>No entry fits these filters.</Empty> : <Entries entries={data} />}
            <div className="pager">
              {params.has('start') && (
                <button type="button" className="button" onClick={() => setParams(without(params, 'start'))}>
                  {texts.actions.newest}
                </button>
              )}
              {pagination.next !== undefined && (
                <button
                  type="button"
                  className="button"
                  onClick={() => {
                    const next = new URLSearchParams(params);
                    next.set('start', pagination.next ?? '');
                    setParams(next);
                  }}
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

function without(params: URLSearchParams, name: string): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(name);
  return next;
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
        options={[
          ['', 'any'],
          ['allowed', 'allowed'],
          ['denied', 'denied'],
        ]}
        onChange={set('outcome')}
      />
      <Field label="Operation" value={values['operation'] ?? ''} onChange={set('operation')} />
      <Field label="Kind" value={values['entity_type'] ?? ''} onChange={set('entity_type')} />
      <Field label="Id of the thing" value={values['entity_id'] ?? ''} onChange={set('entity_id')} />
      <Field label="Who (id)" value={values['actor_id'] ?? ''} onChange={set('actor_id')} />
      <Field label="Destination" value={values['destination'] ?? ''} onChange={set('destination')} />
      <Field label="Trace id" value={values['trace_id'] ?? ''} onChange={set('trace_id')} />
      <button type="submit" className="button primary">
        {texts.actions.apply}
      </button>
      <button type="button" className="button" onClick={() => apply(new URLSearchParams())}>
        {texts.actions.clear}
      </button>
    </form>
  );
}

function Entries({ entries }: { readonly entries: readonly LogEntry[] }) {
  return (
    <Table
      label={texts.nav.audit}
      rows={entries}
      columns={[
        ['When', ({ created_at: at }) => <Time at={at} />],
        [
          'What',
          ({ message, outcome, reason }) => (
            <>
              {message}{' '}
              {outcome === 'denied' && (
                <Badge tone="bad">denied{reason === undefined ? '' : `: ${reason}`}</Badge>
              )}
            </>
          ),
        ],
        ['Thing', ({ entity_id: id }) => <Id value={id} />],
        [
          'Who',
          ({ actor_id: id, actor_type: type }) => (
            <>
              {type} {id !== undefined && <Id value={id} />}
            </>
          ),
        ],
        ['Destination', ({ destination }) => destination ?? '–'],
        ['Rule', ({ rule }) => rule ?? '–'],
        ['From', ({ client_address: address }) => address ?? '–'],
        ['Trace', ({ trace_id: id }) => <Id value={id} />],
      ]}
    />
  );
}
