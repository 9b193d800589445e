import { useState } from 'react';

import type { Application, ApplicationKey, Page, Rule } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Pager, usePage } from '../parts/pager.tsx';
import { Action, Badge, CopyAsCurl, CopyButton, Dialog, Head, Id, Table, Time } from '../parts/parts.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

/** API clients: what they may do, and their keys. */
export function Applications() {
  const { query, go } = usePage();
  const address = `/applications?${query}`;
  const read = useRead<Page<Application>>(address);
  const [open, setOpen] = useState<string>();
  return (
    <>
      <Head title={texts.nav.applications}>
        <CopyAsCurl request={`GET ${address}`} />
      </Head>
      <Loaded query={read}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty>An application is a program that has a key. There is none on this page.</Empty>
          ) : (
            <>
              <Table
                label={texts.nav.applications}
                rows={data}
                columns={[
                  [
                    'Name',
                    ({ id, name }) => (
                      <button type="button" className="link name" onClick={() => setOpen(id)}>
                        {name}
                      </button>
                    ),
                  ],
                  ['Type', ({ type }) => <Badge>{type}</Badge>],
                  ['Keys', ({ keys }) => keys?.length ?? 0],
                  ['Permissions', ({ permissions = [] }) => permissions.length],
                  ['Rules', ({ rules = [] }) => rules.length],
                  ['Created', ({ created_at: at }) => <Time at={at} />],
                ]}
              />
              <Pager pagination={pagination} go={go} />
            </>
          )
        }
      </Loaded>
      {open !== undefined && <Details id={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Details({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const query = useRead<Application>(`/applications/${id}`);
  return (
    <Dialog title={query.data?.name ?? texts.nav.applications} onClose={onClose}>
      <Loaded query={query}>
        {(application) => (
          <>
            <h3>What it may do</h3>
            {(application.permissions ?? []).length > 0 && (
              <p>
                Everywhere:{' '}
                {application.permissions?.map((permission) => (
                  <code key={permission} className="chip">
                    {permission}
                  </code>
                ))}
              </p>
            )}
            <ol className="rules">
              {[...(application.rules ?? [])]
                .toSorted((one, other) => one.priority - other.priority)
                .map((rule) => (
                  <li key={rule.priority} value={rule.priority}>
                    {sentenceOf(rule)}
                  </li>
                ))}
            </ol>
            <Keys id={application.id} />
          </>
        )}
      </Loaded>
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          {texts.actions.close}
        </button>
      </div>
    </Dialog>
  );
}

const views: Readonly<Record<string, string>> = {
  reveal: 'sees the values',
  mask: 'sees masked values',
  redact: 'sees no values',
};

/** A rule in words. */
function sentenceOf({ description, container = '/', transform, permissions, destinations }: Rule): string {
  const verbs = permissions.map((permission) => permission.replace('token:', '')).join(', ');
  const where = destinations === undefined ? '' : `, towards ${destinations.join(', ')} only`;
  const why = description === undefined ? '' : ` (${description})`;
  return `In ${container}: may ${verbs}, ${views[transform] ?? transform}${where}${why}.`;
}

function Keys({ id }: { readonly id: string }) {
  const path = `/applications/${id}/keys`;
  const query = useRead<readonly ApplicationKey[]>(path);
  const mayAdd = useRight('application:create');
  const mayEnd = useRight('application:delete');
  const [made, setMade] = useState<ApplicationKey>();
  const add = useWrite<ApplicationKey>(setMade);
  const end = useWrite();
  return (
    <>
      <h3>Keys</h3>
      <Loaded query={query}>
        {(keys) => (
          <Table
            label="Keys"
            rows={keys}
            columns={[
              ['Key', (key) => <Id value={key.id} />],
              ['Created', ({ created_at: at }) => <Time at={at} />],
              [
                'Last used',
                ({ last_used_at: at }) => (at === undefined ? texts.states.neverUsed : <Time at={at} />),
              ],
              [
                'Actions',
                (key) => (
                  <Action
                    danger
                    right={mayEnd}
                    onClick={() => end.mutate({ request: `DELETE ${path}/${key.id}` })}
                  >
                    {texts.actions.endKey}
                  </Action>
                ),
              ],
            ]}
          />
        )}
      </Loaded>
      {made?.key !== undefined && (
        <p className="note" role="status">
          <code>{made.key}</code> <CopyButton text={made.key} />
          <br />
          The key is shown only now. Put it into use, then end the old one: so nothing fails meanwhile.
        </p>
      )}
      {add.error !== null && <Failure error={add.error} />}
      {end.error !== null && <Failure error={end.error} />}
      <Action right={mayAdd} onClick={() => add.mutate({ request: `POST ${path}` })}>
        {texts.actions.rotate}
      </Action>
    </>
  );
}
