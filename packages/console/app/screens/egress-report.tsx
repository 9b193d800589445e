import { Link } from 'wouter';

import type { LogEntry, Page } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Badge, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

const words = texts.egress;
const address = '/logs?entity_type=egress&start=&size=100';

interface Group {
  readonly id: string;
  readonly destination: string;
  readonly reason: string;
  readonly requests: number;
  readonly refused: number;
  readonly last: string;
  readonly subjects: ReadonlyMap<string, string>;
}

/** Hosts that the policy does not cover: what it has let pass so far, and would cut, and what it has cut. */
export function EgressReport({
  allow,
}: {
  /** Adds a host to the list that is being written; undefined: the person may not change it. */
  readonly allow: ((host: string) => void) | undefined;
}) {
  const right = useRight('log:read');
  const read = useRead<Page<LogEntry>>(right === undefined ? address : undefined);
  return (
    <section aria-labelledby="egress-report">
      <div className="head">
        <h2 id="egress-report">{words.report}</h2>
        <span className="grow" />
        <CopyAs request={`GET ${address}`} />
      </div>
      {right !== undefined ? (
        <p className="note">{right}</p>
      ) : (
        <Loaded query={read}>
          {({ data, pagination }) => (
            <>
              <p className="soft">{words.reportHint}</p>
              {data.length === 0 ? (
                <Empty>{words.nothing}</Empty>
              ) : (
                <Groups groups={groupsOf(data)} allow={allow} />
              )}
              {pagination.next !== undefined && <p className="soft">{words.latest(data.length)}</p>}
              <p>
                <Link href="/audit?entity_type=egress">{words.all}</Link>
              </p>
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}

function groupsOf(entries: readonly LogEntry[]): readonly Group[] {
  const keyOf = ({ destination = '', reason = '' }: LogEntry) => `${destination} ${reason}`;
  return [...Map.groupBy(entries, keyOf)].map(([id, own]) => {
    const count = (some: readonly LogEntry[]) => some.reduce((sum, { count: one = 1 }) => sum + one, 0);
    return {
      id,
      destination: own[0]?.destination ?? '',
      reason: own[0]?.reason ?? '',
      requests: count(own),
      refused: count(own.filter(({ outcome }) => outcome === 'denied')),
      last: own[0]?.created_at ?? '',
      subjects: new Map(
        own.flatMap(({ purpose }) => (purpose?.id === undefined ? [] : [[purpose.id, purpose.type]])),
      ),
    };
  });
}

const pages: Readonly<Record<string, string>> = {
  proxy: '/proxies/',
  reactor: '/reactors/',
  webhook: '/webhooks/',
};

function Groups({
  groups,
  allow,
}: {
  readonly groups: readonly Group[];
  readonly allow: ((host: string) => void) | undefined;
}) {
  return (
    <Table
      label={words.report}
      rows={groups}
      columns={[
        [words.destination, ({ destination }) => <code className="nowrap">{destination}</code>],
        [words.requests, ({ requests }) => requests.toLocaleString()],
        [
          words.outcome,
          ({ requests, refused }) =>
            refused === 0 ? (
              <Badge tone="warn">{words.wouldBeCut}</Badge>
            ) : (
              <Badge tone="bad">{words.cut(refused, requests)}</Badge>
            ),
        ],
        [words.why, ({ reason }) => words.reasons[reason] ?? reason],
        [
          words.by,
          ({ subjects }) =>
            [...subjects].map(([id, type]) => (
              <span key={id} className="nowrap">
                <Link href={`${pages[type] ?? '/'}${id}`}>
                  {type} {id.slice(0, 8)}…
                </Link>{' '}
              </span>
            )),
        ],
        [words.last, ({ last }) => <Time at={last} />],
        [
          texts.actions.title,
          ({ destination, reason }) =>
            allow !== undefined &&
            reason === 'egress_policy' && (
              <button
                type="button"
                className="button"
                onClick={() => allow(destination.replace(/:443$/, ''))}
              >
                {words.allow}
              </button>
            ),
        ],
      ]}
    />
  );
}
