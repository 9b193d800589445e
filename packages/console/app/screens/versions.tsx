import { useState } from 'react';

import type { Page, Version } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { TextDiff } from '../editor/text-diff.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Action, Badge, Id, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { definitionText } from './definition-text.ts';
import { DeployDialog } from './deploy-dialog.tsx';

const words = texts.versions;

type Row = Version & { readonly id: number };

/** What something was: compare with what it is, and restore. */
export function Versions({ path, permission }: { readonly path: string; readonly permission: string }) {
  const query = useRead<Page<Version>>(`${path}/versions?size=100`);
  const [compared, setCompared] = useState<number>();
  const [chosen, setChosen] = useState<Version>();
  const right = useRight(permission);
  return (
    <Loaded query={query}>
      {({ data }) => {
        // Drafts may be newer than what is there.
        const current = data.find(({ draft }) => draft !== true);
        if (current === undefined) return <Empty>The next change makes the first version.</Empty>;
        const rows: Row[] = data.map((version) => ({ ...version, id: version.version }));
        return (
          <>
            <Table<Row>
              label="Versions"
              rows={rows}
              columns={[
                [
                  'Version',
                  ({ version, draft }) => (
                    <>
                      v{version} {version === current.version && <Badge>current</Badge>}
                      {draft === true && <Badge>draft</Badge>}
                    </>
                  ),
                ],
                ['When', ({ created_at: at }) => <Time at={at} />],
                ['Who', ({ created_by: who }) => <Id value={who} />],
                ['Why', ({ comment }) => comment ?? <span className="faint">–</span>],
                [
                  'Actions',
                  (row) =>
                    row.version !== current.version && (
                      <span className="row">
                        <button type="button" className="button" onClick={() => setCompared(row.version)}>
                          Compare
                        </button>
                        <Action right={right} onClick={() => setChosen(row)}>
                          {row.draft === true ? texts.actions.deploy : texts.actions.restore}
                        </Action>
                      </span>
                    ),
                ],
              ]}
            />
            {compared !== undefined && <Comparison path={path} from={compared} to={current.version} />}
            {chosen !== undefined && (
              <GoTo path={path} version={chosen} onClose={() => setChosen(undefined)} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Comparison(props: { readonly path: string; readonly from: number; readonly to: number }) {
  const { path, from, to } = props;
  const before = useRead<Version>(`${path}/versions/${from}`);
  const after = useRead<Version>(`${path}/versions/${to}`);
  return (
    <section aria-labelledby="comparison">
      <h2 id="comparison">
        v{from} and v{to}
      </h2>
      <Loaded query={before}>
        {(one) => (
          <Loaded query={after}>
            {(other) => (
              <TextDiff
                key={`${from} ${to}`}
                before={definitionText(one.definition ?? {})}
                after={definitionText(other.definition ?? {})}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  );
}

interface GoToProps {
  readonly path: string;
  readonly version: Version;
  readonly onClose: () => void;
}

function GoTo(props: GoToProps) {
  const { version, draft, comment = '' } = props.version;
  return draft === true ? (
    <DeployDialog {...props} version={version} comment={comment} />
  ) : (
    <Restore {...props} />
  );
}

function Restore({ path, version: { version }, onClose }: GoToProps) {
  return (
    <Confirm
      title={words.restoreTitle(version)}
      action={texts.actions.restore}
      act={{ request: `POST ${path}/versions/${version}/restore` }}
      reason={words.restored(version)}
      onClose={onClose}
    >
      <p>{words.restoreEffect}</p>
    </Confirm>
  );
}
