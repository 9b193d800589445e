import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';

import { useWrite } from '../api/use-api.ts';
import { TextDiff } from '../editor/text-diff.tsx';
import { Check, TextArea } from '../parts/fields.tsx';
import { Action, Badge } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { missingRight, texts } from '../texts.ts';
import { ChooseEvent } from './choose-event.tsx';
import { type SavedEvent, placeOfEvents, savedEvents } from './saved-events.ts';

const words = texts.trial;

/** How a trial ended (docs/contract/dry-runs.md#trying-code). */
interface Trial {
  readonly outcome: string;
  readonly result?: unknown;
  readonly log: readonly { readonly level: string; readonly text: string }[];
  readonly error?: {
    readonly name?: string;
    readonly message?: string;
    readonly line?: number;
    readonly column?: number;
    readonly frame?: string;
  };
  readonly duration_ms: number;
  readonly memory_bytes: number | null;
  readonly tried_to_reach?: readonly string[];
}

/** Where code is tried, and what one needs for it. */
interface Trying {
  /** E.g. `/proxies/try`. */
  readonly path: string;
  /** One of these is needed. */
  readonly permissions: readonly string[];
}

export const ofProxies: Trying = { path: '/proxies/try', permissions: ['proxy:create', 'proxy:update'] };
export const ofReactors: Trying = {
  path: '/reactor-formulas/try',
  permissions: ['reactor:create', 'reactor:update'],
};

export interface TryProps extends Trying {
  readonly code: string;
  /** What serves requests now. */
  readonly live: string;
  readonly side?: 'request' | 'response';
}

/** @returns why the person may not try code; undefined: they may */
export function useTryRight({ permissions }: Trying): string | undefined {
  const session = useSession();
  const isAllowed = permissions.some((permission) => session.permissions.includes(permission));
  return isAllowed ? undefined : missingRight(permissions.join(' or '));
}

/** State of the page's history, which no link of another site can set: the saved event that is run at once. */
export interface RunAtOnce {
  readonly event: string;
}

/** The event that is asked for, if somebody keeps it. */
function askedEvent(of: string): SavedEvent | undefined {
  const asked = (history.state as Partial<RunAtOnce> | null)?.event;
  return savedEvents(of).find(({ name }) => name === asked);
}

const firstEvent = JSON.stringify({ args: { body: { amount: 1250 }, headers: {} } }, null, 2);

/** Runs the code in the editor in the sandbox of production, without network, on an event that you write. */
export function TryPanel({ path, permissions, code, live, side }: TryProps) {
  const [location] = useLocation();
  const of = placeOfEvents(location, side);
  const [asked] = useState(() => askedEvent(of));
  const [event, setEvent] = useState(asked?.text ?? firstEvent);
  const [isCompared, setCompared] = useState(false);
  const tried = useWrite<Trial>();
  const before = useWrite<Trial>();
  const parsed = parse(event);
  const right = useTryRight({ path, permissions }) ?? parsed.problem;
  const run = () => {
    const request = `POST ${path}`;
    tried.mutate({ request, body: { code, side, event: parsed.value } });
    if (isCompared && live !== '')
      before.mutate({ request, body: { code: live, side, event: parsed.value } });
    else before.reset();
  };
  useEffect(() => {
    if (askedEvent(of) === undefined) return;
    // Once: not again when somebody comes back to this page.
    history.replaceState(null, '');
    if (right === undefined) run();
  });
  return (
    <section aria-labelledby="try-title">
      <h2 id="try-title">{words.title}</h2>
      <ChooseEvent of={of} first={asked?.name} text={event} onChoose={setEvent} />
      <TextArea label={words.event} hint={words.hint} value={event} onChange={setEvent} />
      <div className="row">
        <Action right={right} onClick={run}>
          {words.run}
        </Action>
        <Check label={words.compare} isOn={isCompared} onChange={setCompared} />
      </div>
      {tried.error !== null && <Failure error={tried.error} />}
      {tried.data !== undefined && <Ended trial={tried.data} />}
      {tried.data !== undefined && before.data !== undefined && (
        <>
          <h3>{words.compared}</h3>
          <TextDiff
            key={`${shown(before.data)} ${shown(tried.data)}`}
            before={shown(before.data)}
            after={shown(tried.data)}
          />
        </>
      )}
    </section>
  );
}

/** What counts of a trial, as text that can be compared. */
function shown({ outcome, result, error, log }: Trial): string {
  const lines = log.map(({ level, text }) => `${level} ${text}`);
  return JSON.stringify({ outcome, error: error?.message, result, log: lines }, null, 2);
}

function Ended({ trial }: { readonly trial: Trial }) {
  const {
    outcome,
    result,
    log,
    error,
    duration_ms: ms,
    memory_bytes: bytes,
    tried_to_reach: hosts = [],
  } = trial;
  return (
    <div role="status" className="trial">
      <p>
        <Badge tone={outcome === 'returned' ? undefined : 'bad'}>{outcome}</Badge>
        <span className="soft">
          {ms} ms{bytes !== null && ` · ${(bytes / 1_048_576).toFixed(1)} MB`}
        </span>
      </p>
      {error !== undefined && (
        <div className="note bad">
          <div>
            <strong>{[error.name, error.message].filter((part) => part !== undefined).join(': ')}</strong>
            {error.line !== undefined && <div>{words.place(error.line, error.column)}</div>}
            {error.frame !== undefined && <pre>{error.frame}</pre>}
          </div>
        </div>
      )}
      {hosts.length > 0 && <p className="note warn">{words.reached(hosts.join(', '))}</p>}
      {log.length > 0 && (
        <pre className="note">{log.map(({ level, text }) => `${level} ${text}`).join('\n')}</pre>
      )}
      {result !== undefined && <pre className="note">{JSON.stringify(result, null, 2)}</pre>}
    </div>
  );
}

function parse(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: words.noJson };
  }
}
