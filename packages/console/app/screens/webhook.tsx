import { useState } from 'react';
import { Link, useLocation } from 'wouter';

import type { Delivery, DeliveryAttempt, Page, Webhook } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyAs } from '../parts/copy-as.tsx';
import { Action, Badge, Head, Time } from '../parts/parts.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { ChangeWebhook } from './change-webhook.tsx';
import { Once } from './create.tsx';

const words = texts.deliveries;
/** All that are kept. */
const size = 100;

/** A webhook: where events go, and what became of the latest. */
export function WebhookPage({ id }: { readonly id: string }) {
  const path = `/webhooks/${id}`;
  const read = useRead<Webhook>(path);
  const mayTest = useRight('webhooks:update');
  const test = useWrite();
  const [, go] = useLocation();
  const isDisabled = read.data?.status === 'disabled' ? words.disabled : undefined;
  return (
    <>
      <p className="soft back">
        <Link href="/webhooks">{texts.nav.webhooks}</Link>
      </p>
      <Head title={read.data?.name ?? texts.nav.webhooks}>
        <CopyAs request={`GET ${path}/deliveries`} />
        {read.data !== undefined && (
          <ChangeWebhook
            key={JSON.stringify(read.data)}
            webhook={read.data}
            onDeleted={() => go('/webhooks')}
          />
        )}
        <Action
          primary
          right={mayTest ?? isDisabled}
          onClick={() => test.mutate({ request: `POST ${path}/test` })}
        >
          {words.test}
        </Action>
      </Head>
      {test.error !== null && <Failure error={test.error} />}
      <Loaded query={read}>
        {({ url, status, events }) => (
          <>
            <p>
              <Badge tone={status === 'enabled' ? undefined : 'warn'}>{status}</Badge> <code>{url}</code>
            </p>
            <p>
              {events.map((event) => (
                <code key={event} className="chip">
                  {event}
                </code>
              ))}
            </p>
            <Secret path={path} />
            <h2>{words.title}</h2>
            <Deliveries path={path} right={mayTest ?? isDisabled} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The secret that deliveries are signed with is shown when it is made, and never again. */
function Secret({ path }: { readonly path: string }) {
  const right = useRight('webhooks:update');
  const [isAsked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <p>
        <Action right={right} onClick={() => setAsked(true)}>
          {texts.webhooks.rotate}
        </Action>
      </p>
      {secret !== undefined && <Once secret={secret} />}
      {isAsked && (
        <Confirm
          title={texts.webhooks.rotate}
          action={texts.webhooks.rotate}
          act={{ request: `POST ${path}/rotate-secret` }}
          onClose={() => setAsked(false)}
          onDone={(answer) => {
            setSecret((answer as { readonly secret?: string }).secret);
            setAsked(false);
          }}
        >
          <p>{texts.webhooks.rotateEffect}</p>
        </Confirm>
      )}
    </>
  );
}

/** @param right why nothing can be sent again; undefined: it can */
function Deliveries({ path, right }: { readonly path: string; readonly right: string | undefined }) {
  const isUnderWay = ({ data }: Page<Delivery>) =>
    data.some(({ state }) => state === 'waiting' || state === 'retrying');
  const read = useRead<Page<Delivery>>(`${path}/deliveries?size=${size}`, isUnderWay);
  const resend = useWrite();
  return (
    <>
      {resend.error !== null && <Failure error={resend.error} />}
      <Loaded query={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{words.none}</Empty>
          ) : (
            <Table
              label={words.title}
              rows={data}
              columns={[
                ['Event', ({ event_type: type }) => <span className="nowrap">{type}</span>],
                ['Happened', ({ created_at: at }) => <Time at={at} />],
                ['State', ({ state }) => <State of={state} />],
                ['Attempts', ({ attempts }) => <Attempts of={attempts} />],
                [
                  'Actions',
                  ({ id }) => (
                    <Action
                      right={right}
                      onClick={() => resend.mutate({ request: `POST ${path}/deliveries/${id}/resend` })}
                    >
                      {words.resend}
                    </Action>
                  ),
                ],
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

const tones: Readonly<Record<Delivery['state'], 'bad' | 'warn' | undefined>> = {
  waiting: undefined,
  delivered: undefined,
  retrying: 'warn',
  failed: 'bad',
};

const State = ({ of }: { readonly of: Delivery['state'] }) => (
  <Badge tone={tones[of]}>{words.states[of]}</Badge>
);

function Attempts({ of }: { readonly of: readonly DeliveryAttempt[] }) {
  if (of.length === 0) return <span className="faint">–</span>;
  return (
    <ol className="attempts">
      {of.map(({ at, status, error, duration_ms: ms }) => (
        <li key={at}>
          <Time at={at} /> <span className="nowrap">{words.attempt(status ?? error ?? '', ms)}</span>
        </li>
      ))}
    </ol>
  );
}
