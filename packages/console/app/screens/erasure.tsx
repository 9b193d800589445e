import { useState } from 'react';

import type { Page } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Field } from '../parts/fields.tsx';
import { Action, Badge, CopyButton, Id, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight, useSession } from '../session.tsx';
import { texts } from '../texts.ts';

const words = texts.erasure;
const verification = 'glovebox tenant verify-erasure certificate.json';

/** A tenant that this person has deleted (docs/contract/people.md#erasures). */
interface ErasureOfTenant {
  readonly tenant_id: string;
  readonly requested_at: string;
  readonly certificate?: Readonly<Record<string, unknown>>;
}

/** What a deletion of the tenant destroys, and those that this person has asked for before. */
export function Erasure() {
  const { tenant, user } = useSession();
  const right = useRight('tenant:delete');
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <h2>{words.title}</h2>
      <p className="soft">{words.hint}</p>
      <div className="command">
        <code>{verification}</code>
        <CopyButton text={verification} />
      </div>
      {user !== undefined && <Own />}
      <p>
        <Action danger right={right} onClick={() => setAsked(true)}>
          {words.delete}
        </Action>
      </p>
      {isAsked && <Delete name={tenant.name} onClose={() => setAsked(false)} />}
    </>
  );
}

function Own() {
  const read = useRead<{ readonly data: readonly ErasureOfTenant[] }>('/console/session/erasures');
  return (
    <Loaded query={read}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty>{words.none}</Empty>
        ) : (
          <Table
            label={words.own}
            rows={data.map((one) => ({ ...one, id: one.tenant_id }))}
            columns={[
              [words.tenant, ({ id }) => <Id value={id} />],
              [words.asked, ({ requested_at: at }) => <Time at={at} />],
              [
                words.state,
                ({ certificate }) => (
                  <Badge tone={certificate === undefined ? 'warn' : undefined}>
                    {certificate === undefined ? words.underWay : words.done}
                  </Badge>
                ),
              ],
              [
                words.certificate,
                ({ certificate }) =>
                  certificate === undefined ? (
                    '–'
                  ) : (
                    <CopyButton text={JSON.stringify(certificate)} label={words.copy} />
                  ),
              ],
            ]}
          />
        )
      }
    </Loaded>
  );
}

interface Usage {
  readonly token_report: { readonly total_tokens: number };
}

function Delete({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const usage = useRead<Usage>('/tenants/self/reports/usage').data;
  const proxies = useCount('/proxies');
  const applications = useCount('/applications');
  const [typed, setTyped] = useState('');
  const isMeant = typed === name;
  return (
    <Confirm
      title={words.deleteTitle(name)}
      action={words.delete}
      act={{ request: 'DELETE /tenants/self' }}
      isReady={isMeant}
      onClose={onClose}
      onDone={() => location.assign('/console')}
    >
      <p>
        <strong>{words.effect(usage?.token_report.total_tokens, proxies, applications)}</strong>
      </p>
      <p>{words.noWayBack}</p>
      <Field label={words.typeName(name)} value={typed} onChange={setTyped} required />
    </Confirm>
  );
}

function useCount(path: string): number | undefined {
  return useRead<Page<unknown>>(`${path}?size=1`).data?.pagination.total_items;
}
