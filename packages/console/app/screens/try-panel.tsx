import { useId, useState } from 'react';

import { useWrite } from '../api/use-api.ts';
import { Action, Badge } from '../parts/parts.tsx';
import { Failure } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { missingRight } from '../texts.ts';

/** How a trial ended (contract of `POST /proxies/try`). */
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
  readonly memory_bytes: number;
  readonly tried_to_reach?: readonly string[];
}

export interface TryProps {
  /** E.g. `/proxies/try`. */
  readonly path: string;
  /** One of these is needed. */
  readonly permissions: readonly string[];
  readonly code: string;
  readonly side?: 'request' | 'response';
}

const firstEvent = JSON.stringify({ args: { body: { amount: 1250 }, headers: {} } }, null, 2);

/** Runs the code in the editor in the sandbox of production, without network, on an event that you write. */
export function TryPanel({ path, permissions, code, side }: TryProps) {
  const id = useId();
  const session = useSession();
  const [event, setEvent] = useState(firstEvent);
  const write = useWrite<Trial>();
  const parsed = parse(event);
  const isAllowed = permissions.some((permission) => session.permissions.includes(permission));
  const right = isAllowed ? parsed.problem : missingRight(permissions.join(' or '));
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Try</h2>
      <div className="field">
        <label htmlFor={id}>Event</label>
        <textarea
          id={id}
          rows={6}
          spellCheck={false}
          value={event}
          onChange={(e) => setEvent(e.target.value)}
        />
        <span className="soft">Nothing is sent, stored or charged.</span>
      </div>
      <p>
        <Action
          right={right}
          onClick={() => write.mutate({ request: `POST ${path}`, body: { code, side, event: parsed.value } })}
        >
          Run
        </Action>
      </p>
      {write.error !== null && <Failure error={write.error} />}
      {write.data !== undefined && <Ended trial={write.data} />}
    </section>
  );
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
    <div role="status">
      <p>
        <Badge tone={outcome === 'returned' ? undefined : 'bad'}>{outcome}</Badge>
        <span className="soft">
          {ms} ms · {(bytes / 1_048_576).toFixed(1)} MB
        </span>
      </p>
      {error !== undefined && (
        <div className="note bad">
          <div>
            <strong>
              {error.name}: {error.message}
            </strong>
            {error.line !== undefined && (
              <div>
                line {error.line}, column {error.column}
              </div>
            )}
            {error.frame !== undefined && <pre>{error.frame}</pre>}
          </div>
        </div>
      )}
      {hosts.length > 0 && <p className="note warn">The code tried to reach {hosts.join(', ')}.</p>}
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
    return { problem: 'The event is no JSON.' };
  }
}
