import type { OwnSession } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Action, Badge, Time } from '../parts/parts.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts.ts';
import { browserName } from './browser-name.ts';

const words = texts.sessions;

/** Where this person is signed in. Who sees a session that is not theirs must not be held up: no reason is asked. */
export function OwnSessions() {
  const read = useRead<{ readonly data: readonly OwnSession[] }>('/console/sessions');
  const write = useWrite();
  const end = (request: string) => write.mutate({ request });
  const others = (read.data?.data ?? []).filter(({ current }) => !current);
  return (
    <>
      <div className="head">
        <h2>{words.title}</h2>
        <span className="grow" />
        <Action
          right={others.length === 0 ? words.noOthers : undefined}
          onClick={() => end('DELETE /console/sessions')}
        >
          {words.endOthers}
        </Action>
      </div>
      {write.error !== null && <Failure error={write.error} />}
      <Loaded query={read}>
        {({ data }) => (
          <Table
            label={words.title}
            rows={data}
            columns={[
              [words.browser, (session) => <Where session={session} />],
              [words.tenant, ({ tenant }) => tenant.name],
              [words.address, ({ client_address: address }) => address ?? '–'],
              [words.since, ({ created_at: at }) => <Time at={at} />],
              [words.seen, ({ last_seen_at: at }) => <Time at={at} />],
              [words.ends, ({ expires_at: at }) => <Time at={at} />],
              [
                texts.actions.title,
                ({ id, current }) =>
                  current ? (
                    <Badge>{words.current}</Badge>
                  ) : (
                    <Action
                      right={write.isPending ? texts.states.loading : undefined}
                      onClick={() => end(`DELETE /console/sessions/${id}`)}
                    >
                      {texts.signIn.out}
                    </Action>
                  ),
              ],
            ]}
          />
        )}
      </Loaded>
      <p className="soft">{words.hint}</p>
    </>
  );
}

function Where({ session }: { readonly session: OwnSession }) {
  const { user_agent: agent } = session;
  if (agent === undefined) return <span className="faint">{words.unknown}</span>;
  return <span title={agent}>{browserName(agent) ?? words.unknown}</span>;
}
