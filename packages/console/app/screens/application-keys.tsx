import { useState } from 'react';

import type { ApplicationKey } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Action, CopyButton, Id, Table, Time } from '../parts/parts.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

const words = texts.access;

/** Its keys, which are shown once, and ended when the next one is in use. */
export function Keys({ id }: { readonly id: string }) {
  const path = `/applications/${id}/keys`;
  const query = useRead<readonly ApplicationKey[]>(path);
  const mayAdd = useRight('application:create');
  const mayEnd = useRight('application:delete');
  const [made, setMade] = useState<ApplicationKey>();
  const add = useWrite<ApplicationKey>(setMade);
  const end = useWrite();
  return (
    <>
      <h2>{words.keys}</h2>
      <Loaded query={query}>
        {(keys) => (
          <Table
            label={words.keys}
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
          {words.keyOnce}
        </p>
      )}
      {add.error !== null && <Failure error={add.error} />}
      {end.error !== null && <Failure error={end.error} />}
      <p>
        <Action right={mayAdd} onClick={() => add.mutate({ request: `POST ${path}` })}>
          {texts.actions.rotate}
        </Action>
      </p>
    </>
  );
}
