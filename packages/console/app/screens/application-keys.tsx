import { useState } from 'react';

import type { ApplicationKey } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Action, Id, Time } from '../parts/parts.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { Once } from './create.tsx';
import { usesOf } from './key-uses.ts';

const words = texts.access;

/** Its keys, which are shown once, and ended when the next one is in use. */
export function Keys({ id }: { readonly id: string }) {
  const path = `/applications/${id}/keys`;
  const query = useRead<readonly ApplicationKey[]>(path);
  const mayAdd = useRight('application:create');
  const mayEnd = useRight('application:delete');
  const [made, setMade] = useState<ApplicationKey>();
  const [ended, setEnded] = useState<ApplicationKey>();
  const add = useWrite<ApplicationKey>(setMade);
  return (
    <>
      <h2>{words.keys}</h2>
      <Loaded query={query}>
        {(keys) => (
          <Table
            label={words.keys}
            rows={keys}
            columns={[
              [words.key, (key) => <Id value={key.id} />],
              [texts.columns.created, ({ created_at: at }) => <Time at={at} />],
              [
                texts.columns.lastUsed,
                ({ last_used_at: at }) => (at === undefined ? texts.states.neverUsed : <Time at={at} />),
              ],
              [
                texts.keyUses.title,
                ({ requests_per_minute: rate }) =>
                  rate === undefined || rate === 0 ? '–' : texts.figures.rate(rate),
              ],
              [
                texts.actions.title,
                (key) => (
                  <Action danger right={mayEnd} onClick={() => setEnded(key)}>
                    {texts.actions.endKey}
                  </Action>
                ),
              ],
            ]}
          />
        )}
      </Loaded>
      {made?.key !== undefined && <Once secret={made.key} hint={words.keyOnce} />}
      {add.error !== null && <Failure error={add.error} />}
      <p>
        <Action right={mayAdd} onClick={() => add.mutate({ request: `POST ${path}` })}>
          {texts.actions.rotate}
        </Action>
      </p>
      {ended !== undefined && <End path={path} ended={ended} onClose={() => setEnded(undefined)} />}
    </>
  );
}

function End({
  path,
  ended,
  onClose,
}: {
  readonly path: string;
  readonly ended: ApplicationKey;
  readonly onClose: () => void;
}) {
  return (
    <Confirm
      title={words.endTitle}
      action={texts.actions.endKey}
      act={{ request: `DELETE ${path}/${ended.id}` }}
      onClose={onClose}
    >
      <p>
        <strong>{usesOf([ended])}</strong> {words.endEffect}
      </p>
    </Confirm>
  );
}
