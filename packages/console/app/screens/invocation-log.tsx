import { useState } from 'react';

import type { Invocation } from '../api/invocation-models.ts';
import { useWrite } from '../api/use-api.ts';
import { Stale, isFresh } from '../parts/fresh.tsx';
import { Action, Badge } from '../parts/parts.tsx';
import { ReasonDialog } from '../parts/reason-dialog.tsx';
import { Failure } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { texts } from '../texts.ts';
import { useVanishing } from './use-vanishing.ts';

const words = texts.log;

/** What the code of one run wrote and how it failed (docs/contract/reactors.md#invocation-logs). */
interface LoggedRun {
  readonly id: string;
  readonly side?: string;
  readonly outcome: string;
  readonly error?: { readonly name?: string; readonly message?: string; readonly stack?: readonly string[] };
  readonly log: readonly { readonly level: string; readonly text: string }[];
}

/** Message, stack and log of an invocation. They may hold any token, so they are shown like one. */
export function InvocationLog({ invocation }: { readonly invocation: Invocation }) {
  const { subject, trace_id: traceId, logged, error } = invocation;
  const { token_transform: view, created_at: since } = useSession();
  const [isAsked, setAsked] = useState(false);
  const read = useWrite<{ readonly data: readonly LoggedRun[] }>(() => setAsked(false));
  useVanishing(read.data !== undefined, read.reset);
  if (subject.id === undefined || (!logged && error?.line === undefined)) return null;
  const right = view === 'reveal' ? undefined : words.noRight;
  return (
    <section aria-labelledby="invocation-log">
      <h2 id="invocation-log">{words.title}</h2>
      {read.data === undefined ? (
        <p className="row">
          <span className="soft">{words.sealed}</span>
          <Action right={right} onClick={() => setAsked(true)}>
            {words.show}
          </Action>
        </p>
      ) : (
        <Runs runs={read.data.data} />
      )}
      {isAsked && (
        <ReasonDialog
          title={words.showTitle}
          effect={words.effect}
          action={words.show}
          onClose={() => setAsked(false)}
          blocked={isFresh(since) ? undefined : <Stale />}
          onReason={(reason) =>
            read.mutate({
              request: 'POST /console/session/invocation-log',
              body: { subject, trace_id: traceId, reason },
            })
          }
        >
          {read.error !== null && <Failure error={read.error} />}
        </ReasonDialog>
      )}
    </section>
  );
}

function Runs({ runs }: { readonly runs: readonly LoggedRun[] }) {
  if (runs.length === 0) return <p className="note">{words.gone}</p>;
  return (
    <div className="revealed" role="status">
      {runs.map(({ id, side, outcome, error, log }) => (
        <div key={id}>
          <p>
            {side} <Badge tone={outcome === 'returned' ? undefined : 'bad'}>{outcome}</Badge>{' '}
            <strong>{[error?.name, error?.message].filter((part) => part !== undefined).join(': ')}</strong>
          </p>
          {error?.stack !== undefined && <pre>{error.stack.join('\n')}</pre>}
          {log.length > 0 && <pre>{log.map(({ level, text }) => `${level} ${text}`).join('\n')}</pre>}
        </div>
      ))}
      <p className="soft">{texts.tokens.shownFor}</p>
    </div>
  );
}
