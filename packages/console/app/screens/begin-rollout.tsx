import { useState } from 'react';
import { Link } from 'wouter';

import type { Page, Rollout, Version } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Check, Choice, Field } from '../parts/fields.tsx';
import { Action } from '../parts/parts.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

const { rollout: words } = texts;
const modes = [
  ['live', words.modes.live],
  ['shadow', words.modes.shadow],
] as const;
/** One failure among few requests says nothing yet. */
const firstStop = { error_rate: 0.05, min_requests: 100 };

interface BeginProps {
  /** Of the proxy or reactor. */
  readonly path: string;
  readonly permission: string;
  /** The one that runs; absent: none does. */
  readonly rollout: Rollout | undefined;
}

/** Begins a rollout, or changes whom the running one serves and when it stops by itself. */
export function BeginRollout({ path, permission, rollout }: BeginProps) {
  const query = useRead<Page<Version>>(`${path}/versions?size=100`);
  const right = useRight(permission);
  const [chosen, setChosen] = useState<string>();
  const [percent, setPercent] = useState(String(rollout?.percent ?? 10));
  const [mode, setMode] = useState<string>(rollout?.mode ?? 'live');
  const [by, setBy] = useState(rollout?.by ?? 'random');
  const stop = useStop(rollout);
  const write = useWrite();
  const title = rollout === undefined ? words.begin : words.change;
  return (
    <Loaded query={query}>
      {({ data }) => {
        const present = data.find(({ draft }) => draft !== true)?.version;
        const others = data.filter(({ version }) => version !== present);
        const version = chosen ?? String(rollout?.version ?? others[0]?.version ?? '');
        if (version === '') return <NoVersion path={path} />;
        const body = { version: Number(version), percent: numberIn(percent), mode, by, ...stop.asked };
        return (
          <section aria-labelledby="rollout-change">
            <div className="head">
              <h2 id="rollout-change">{title}</h2>
              <span className="grow" />
              <CopyAs
                request={`PUT ${path}/rollout`}
                headers={['Content-Type: application/json']}
                body={JSON.stringify(body)}
                cli={cliOf(path, body)}
              />
            </div>
            <div className="filters hinted">
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
            <StopFields stop={stop} />
            {write.error !== null && <Failure error={write.error} />}
            <Action
              right={right}
              primary
              onClick={() => write.mutate({ request: `PUT ${path}/rollout`, body })}
            >
              {title}
            </Action>
          </section>
        );
      }}
    </Loaded>
  );
}

const NoVersion = ({ path }: { readonly path: string }) => (
  <p>
    {words.noVersion} <Link href={`${path}?tab=code`}>{words.toCode}</Link>
  </p>
);

const optionOf = ({ version, comment }: Version) =>
  [String(version), `v${version}${comment === undefined ? '' : `: ${comment}`}`] as const;

/** When the rollout stops by itself, as it is typed. A running one that never does is not made to by changing it. */
function useStop(rollout: Rollout | undefined) {
  const { error_rate, min_requests } = rollout?.stop_when ?? firstStop;
  const [isOn, setOn] = useState(rollout === undefined || rollout.stop_when !== undefined);
  const [failed, setFailed] = useState(String(percentOf(error_rate)));
  const [requests, setRequests] = useState(String(min_requests));
  const rate = numberIn(failed);
  const stop_when = { error_rate: rate === null ? null : rate / 100, min_requests: numberIn(requests) };
  return { isOn, setOn, failed, setFailed, requests, setRequests, asked: isOn ? { stop_when } : {} };
}

function StopFields({ stop }: { readonly stop: ReturnType<typeof useStop> }) {
  return (
    <fieldset className="stop">
      <legend className="hidden">{words.stop}</legend>
      <Check label={words.stop} isOn={stop.isOn} onChange={stop.setOn} />
      <p className="soft">{stop.isOn ? words.stopHint : words.neverHint}</p>
      {stop.isOn && (
        <div className="filters">
          <Field label={words.stopFailed} value={stop.failed} onChange={stop.setFailed} />
          <Field label={words.stopRequests} value={stop.requests} onChange={stop.setRequests} />
        </div>
      )}
    </fieldset>
  );
}

interface Body {
  readonly version: number;
  readonly percent: number | null;
  readonly mode: string;
  readonly by: string;
  readonly stop_when?: { readonly error_rate: number | null; readonly min_requests: number | null };
}

function cliOf(path: string, { version, percent, mode, by, stop_when: stop }: Body): readonly string[] {
  const [, kind, id = ''] = path.split('/');
  const flags = [
    ['--version', version],
    ['--percent', percent],
    ['--by', by],
    ['--error-rate', stop?.error_rate],
    ['--min-requests', stop?.min_requests],
  ] as const;
  return [
    'rollout',
    kind === 'proxies' ? 'proxy' : 'reactor',
    id,
    ...flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value ?? '')])),
    ...(mode === 'shadow' ? ['--shadow'] : []),
  ];
}

/** @returns null for a text that is not a number; the service refuses it and names the member */
function numberIn(text: string): number | null {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? null : number;
}

/** Without what binary fractions add. @param rate from 0 to 1 */
export const percentOf = (rate: number) => Number((100 * rate).toPrecision(12));
