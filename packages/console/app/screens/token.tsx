import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { type ApiError, send } from '../api/client.ts';
import type { LogEntry, Page, Token } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Stale, isFresh } from '../parts/fresh.tsx';
import { Action, Badge, CopyButton, Head, Id, Time } from '../parts/parts.tsx';
import { ReasonDialog } from '../parts/reason-dialog.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useRight, useSession } from '../session.tsx';
import { texts } from '../texts.ts';
import { Masked } from './tokens.tsx';
import { useVanishing } from './use-vanishing.ts';

/** One token: what is known of it without its value, who has used it, and where that went. */
export function TokenPage({ id }: { readonly id: string }) {
  const right = useRight('token:read');
  const read = useRead<Page<Token>>(
    right === undefined ? `/console/session/tokens?size=1&id=${encodeURIComponent(id)}` : undefined,
  );
  const { token_transform: transform } = useSession();
  const [isRevealing, setRevealing] = useState(false);
  return (
    <>
      <Head title={id}>
        <CopyButton text={id} label={texts.tokens.copyId} />
        <CopyAs request={`GET /tokens/${encodeURIComponent(id)}`} withApiKey cli={['tokens', 'get', id]} />
        <Action
          right={transform === 'reveal' ? undefined : texts.tokens.noReveal}
          onClick={() => setRevealing(true)}
        >
          {texts.tokens.reveal}
        </Action>
      </Head>
      {right === undefined ? (
        <Loaded query={read}>
          {({ data: [token] }) =>
            token === undefined ? <Empty>{texts.tokens.gone}</Empty> : <Attributes token={token} />
          }
        </Loaded>
      ) : (
        <p className="note">{right}</p>
      )}
      <UsedBy id={id} />
      {isRevealing && <Reveal id={id} onClose={() => setRevealing(false)} />}
    </>
  );
}

function Attributes({ token }: { readonly token: Token }) {
  const { type, data, containers, metadata = {}, created_by: by, created_at: at, expires_at: end } = token;
  return (
    <dl className="facts">
      <dt>Value</dt>
      <dd>
        <Masked value={data} />
      </dd>
      <dt>Type</dt>
      <dd>{type}</dd>
      <dt>Container</dt>
      <dd>
        {containers.map((container) => (
          <Link key={container} href={`/tokens?container=${encodeURIComponent(container)}`}>
            {container}
          </Link>
        ))}
      </dd>
      <dt>Metadata</dt>
      <dd>
        {Object.entries(metadata).map(([name, value]) => (
          <div key={name}>
            <code>{name}</code> {value}
          </div>
        ))}
        {Object.keys(metadata).length === 0 && '–'}
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={at} /> <Id value={by} />
      </dd>
      <dt>Expires</dt>
      <dd>{end === undefined ? 'never' : <Time at={end} />}</dd>
    </dl>
  );
}

/** From the audit log, newest first. */
function UsedBy({ id }: { readonly id: string }) {
  const right = useRight('log:read');
  const address = `/logs?entity_type=token&entity_id=${encodeURIComponent(id)}&size=50`;
  const read = useRead<Page<LogEntry>>(right === undefined ? address : undefined);
  return (
    <section aria-labelledby="used-by">
      <h2 id="used-by">{texts.tokens.usedBy}</h2>
      {right === undefined ? (
        <Loaded query={read}>
          {({ data, pagination }) => (
            <>
              {data.length === 0 ? <Empty>{texts.tokens.unused}</Empty> : <Timeline entries={data} />}
              {pagination.next !== undefined && (
                <Link href={`/audit?entity_type=token&entity_id=${encodeURIComponent(id)}`}>
                  {texts.tokens.all}
                </Link>
              )}
            </>
          )}
        </Loaded>
      ) : (
        <p className="note">{right}</p>
      )}
    </section>
  );
}

function Timeline({ entries }: { readonly entries: readonly LogEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map((entry) => (
        <li key={entry.id} className={entry.outcome === 'denied' ? 'denied' : undefined}>
          <Time at={entry.created_at} />
          <div>
            {entry.message}
            {entry.destination !== undefined && (
              <>
                {' → '}
                <code>{entry.destination}</code>
              </>
            )}{' '}
            {entry.outcome === 'denied' && <Badge tone="bad">denied: {entry.reason}</Badge>}
            {entry.outcome !== 'denied' && entry.reason !== undefined && <q>{entry.reason}</q>}
            <div className="soft">
              {entry.actor_type} <Id value={entry.actor_id} />
              {entry.purpose !== undefined && (
                <>
                  {' · '}
                  {entry.purpose.type} <Purpose {...entry.purpose} />
                </>
              )}
              {entry.trace_id !== undefined && (
                <>
                  {' · '}
                  <Link href={`/audit?trace_id=${encodeURIComponent(entry.trace_id)}`}>trace</Link>
                </>
              )}
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Purpose({ type, id }: { readonly type: string; readonly id?: string }) {
  if (id === undefined) return null;
  const screen = type === 'proxy' ? 'proxies' : type === 'reactor' ? 'reactors' : undefined;
  return screen === undefined ? <Id value={id} /> : <Link href={`/${screen}/${id}`}>{id.slice(0, 8)}…</Link>;
}

/** Asks why, shows the value for 30 seconds, and keeps it nowhere. */
function Reveal({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { created_at: since } = useSession();
  const [wanted, setWanted] = useState<string>();
  const shown = wanted !== undefined && <Plain id={id} reason={wanted} onClose={onClose} />;
  return (
    <ReasonDialog
      title={texts.tokens.revealTitle}
      effect={texts.tokens.revealEffect}
      action={texts.tokens.reveal}
      blocked={shown || (isFresh(since) ? undefined : <Stale />)}
      onReason={setWanted}
      onClose={onClose}
    />
  );
}

function Plain({
  id,
  reason,
  onClose,
}: {
  readonly id: string;
  readonly reason: string;
  readonly onClose: () => void;
}) {
  const read = useQuery<Token, ApiError>({
    queryKey: ['reveal', id, reason],
    queryFn: () => send<Token>('POST /console/session/reveal', { body: { id, reason } }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useVanishing(read.data !== undefined, onClose);
  if (read.error !== null) return <Failure error={read.error} />;
  if (read.data === undefined) return <p role="status">{texts.states.loading}</p>;
  return (
    <div className="revealed" role="status">
      <Masked value={read.data.data} />
      <p className="soft">{texts.tokens.shownFor}</p>
    </div>
  );
}
