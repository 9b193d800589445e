import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, send } from '../api/client.ts';
import type { Page, Rollout as RolloutModel, Version, VersionFigures } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Choice, Field } from '../parts/fields.tsx';
import { Action, Badge, Time } from '../parts/parts.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

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
          <Begin {...of} key={found?.version} rollout={found?.state === 'running' ? found : undefined} />
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

function Figures({ versions }: { readonly versions: readonly VersionFigures[] }) {
  return (
    <Table
      label={words.figures}
      rows={versions.map((one) => ({ ...one, id: one.version }))}
      columns={[
        [words.version, ({ version }) => `v${version}`],
        [words.requests, ({ requests }) => requests],
        [words.errors, ({ errors }) => errors],
        [words.median, ({ p50_ms: ms }) => (ms === undefined ? '–' : `${ms} ms`)],
        [words.slow, ({ p99_ms: ms }) => (ms === undefined ? '–' : `${ms} ms`)],
      ]}
    />
  );
}

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

const modes = [
  ['live', words.modes.live],
  ['shadow', words.modes.shadow],
] as const;

const optionOf = ({ version, comment }: Version) =>
  [String(version), `v${version}${comment === undefined ? '' : `: ${comment}`}`] as const;

/** Begins a rollout, or changes whom the running one serves. */
function Begin({ path, permission, rollout }: Of & { readonly rollout: RolloutModel | undefined }) {
  const query = useRead<Page<Version>>(`${path}/versions?size=100`);
  const right = useRight(permission);
  const [chosen, setChosen] = useState<string>();
  const [percent, setPercent] = useState(String(rollout?.percent ?? 10));
  const [mode, setMode] = useState<string>(rollout?.mode ?? 'live');
  const [by, setBy] = useState(rollout?.by ?? 'random');
  const write = useWrite();
  return (
    <Loaded query={query}>
      {({ data }) => {
        const present = data.find(({ draft }) => draft !== true)?.version;
        const others = data.filter(({ version }) => version !== present);
        const version = chosen ?? String(rollout?.version ?? others[0]?.version ?? '');
        if (version === '') return <p className="note">{words.noVersion}</p>;
        const stop_when = rollout?.stop_when;
        const body = { version: Number(version), percent: Number(percent), mode, by, stop_when };
        return (
          <section aria-labelledby="rollout-change">
            <h2 id="rollout-change">{rollout === undefined ? words.begin : words.change}</h2>
            <div className="row">
              <Choice
                label={words.version}
                value={version}
                options={others.map(optionOf)}
                onChange={setChosen}
              />
              <Choice label={words.mode} value={mode} options={modes} onChange={setMode} />
              <Field label={words.percent} value={percent} onChange={setPercent} />
              <Field label={words.by} hint={words.byHint} value={by} onChange={setBy} />
            </div>
            {write.error !== null && <Failure error={write.error} />}
            <Action
              right={right}
              primary
              onClick={() => write.mutate({ request: `PUT ${path}/rollout`, body })}
            >
              {rollout === undefined ? words.begin : words.change}
            </Action>
          </section>
        );
      }}
    </Loaded>
  );
}
