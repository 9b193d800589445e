import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, send } from '../api/client.ts';
import type { Rollout as RolloutModel, VersionFigures } from '../api/models.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Action, Badge, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { BeginRollout, percentOf } from './begin-rollout.tsx';

const { rollout: words } = texts;
/** Figures arrive every second. */
const refreshMs = 2000;

interface Of {
  /** Of the proxy or reactor. */
  readonly path: string;
  readonly permission: string;
}

/** The rollout of a proxy or reactor: whom the second version serves, what both do, and how it goes on. */
export function Rollout(of: Of) {
  const { path } = of;
  const address = `${path}/rollout`;
  const query = useQuery<RolloutModel | null, ApiError>({
    queryKey: ['read', address],
    // There may be none.
    queryFn: () =>
      send<RolloutModel>(`GET ${address}`).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? refreshMs : false),
  });
  return (
    <Loaded query={query}>
      {(found) => (
        <>
          {found === null ? <Empty>{words.none}</Empty> : <Running {...of} rollout={found} />}
          <BeginRollout
            {...of}
            key={found?.version}
            rollout={found?.state === 'running' ? found : undefined}
          />
        </>
      )}
    </Loaded>
  );
}

function Running({ path, permission, rollout }: Of & { readonly rollout: RolloutModel }) {
  const { version, percent, mode, by, state, reason, versions, shadow, created_at: since } = rollout;
  const right = useRight(permission);
  const [asked, setAsked] = useState<'complete' | 'end'>();
  return (
    <section aria-labelledby="rollout">
      <h2 id="rollout">
        {words.of(version)}{' '}
        <Badge tone={state === 'stopped' ? 'bad' : undefined}>{words.states[state]}</Badge>
      </h2>
      <p>
        {mode === 'shadow' ? words.tried(percent, by) : words.served(percent, by)} <Time at={since} />
        {reason !== undefined && <strong> {words.reasons[reason]}</strong>}
      </p>
      {state === 'running' && <p>{stopTextOf(rollout)}</p>}
      <Figures versions={versions} />
      {shadow !== undefined && <Differences {...shadow} />}
      <div className="row">
        {state === 'running' && (
          <Action right={right} primary onClick={() => setAsked('complete')}>
            {words.complete}
          </Action>
        )}
        <Action right={right} danger onClick={() => setAsked('end')}>
          {words.end}
        </Action>
      </div>
      {asked !== undefined && (
        <Decide path={path} step={asked} version={version} onClose={() => setAsked(undefined)} />
      )}
    </section>
  );
}

function stopTextOf({ version, stop_when: stop }: RolloutModel): string {
  if (stop === undefined) return words.stopsNever;
  return words.stops(version, percentOf(stop.error_rate), stop.min_requests);
}

function Figures({ versions }: { readonly versions: readonly VersionFigures[] }) {
  return (
    <Table
      label={words.figures}
      rows={versions.map((one) => ({ ...one, id: one.version }))}
      columns={[
        [words.version, ({ version }) => `v${version}`],
        [words.requests, ({ requests }) => requests],
        [words.errors, ({ errors }) => errors],
        [words.median, ({ p50_ms: ms }) => <Milliseconds of={ms} />],
        [words.slow, ({ p99_ms: ms }) => <Milliseconds of={ms} />],
      ]}
    />
  );
}

const Milliseconds = ({ of: ms }: { readonly of: number | undefined }) => (
  <span className="nowrap">{ms === undefined ? '–' : `${ms} ms`}</span>
);

function Differences({ compared, equal, skipped, differences }: NonNullable<RolloutModel['shadow']>) {
  return (
    <>
      <p>
        {words.compared(compared, equal)}
        {skipped > 0 && ` ${words.skipped(skipped)}`}
      </p>
      {differences.length > 0 && (
        <Table
          label={words.differences}
          rows={differences.map((one) => ({ ...one, id: `${one.kind} ${one.path}` }))}
          columns={[
            [words.place, ({ path }) => <code>{path}</code>],
            [words.kind, ({ kind }) => words.kinds[kind]],
            [words.count, ({ count }) => count],
          ]}
        />
      )}
    </>
  );
}

interface DecideProps {
  readonly path: string;
  readonly step: 'complete' | 'end';
  readonly version: number;
  readonly onClose: () => void;
}

function Decide({ path, step, version, onClose }: DecideProps) {
  const isEnd = step === 'end';
  return (
    <Confirm
      title={isEnd ? words.endTitle : words.completeTitle(version)}
      action={isEnd ? words.end : words.complete}
      act={{ request: isEnd ? `DELETE ${path}/rollout` : `POST ${path}/rollout/complete` }}
      onClose={onClose}
    >
      <p>{isEnd ? words.endEffect : words.completeEffect(version)}</p>
    </Confirm>
  );
}
