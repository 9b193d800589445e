import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

import type { Invitation, Member, Page, Role } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyAs } from '../parts/copy-as.tsx';
import { Choice, Field } from '../parts/fields.tsx';
import { Pager, usePage } from '../parts/pager.tsx';
import { Action, Badge, Dialog, Head, Id, Time } from '../parts/parts.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

/** People and their roles. */
export function Members() {
  const { query, go } = usePage();
  const address = `/tenants/self/members?${query}`;
  const members = useRead<Page<Member>>(address);
  const roles = useRead<readonly Role[]>('/roles').data ?? [];
  const mayInvite = useRight('tenant:invitation:create');
  const [isInviting, setInviting] = useState(false);
  const [changed, setChanged] = useState<Member>();
  return (
    <>
      <Head title={texts.nav.members}>
        <CopyAs request={`GET ${address}`} cli={['members', 'list']} />
        <Action primary right={mayInvite} onClick={() => setInviting(true)}>
          {texts.actions.invite}
        </Action>
      </Head>
      <Rows go={go} query={members} onChange={setChanged} />
      <Invitations />
      {isInviting && <Invite roles={roles} onClose={() => setInviting(false)} />}
      {changed !== undefined && (
        <ChangeRole member={changed} roles={roles} onClose={() => setChanged(undefined)} />
      )}
    </>
  );
}

function Rows({
  query,
  go,
  onChange,
}: {
  readonly query: UseQueryResult<Page<Member>>;
  readonly go: (page: number) => void;
  readonly onChange: (member: Member) => void;
}) {
  const mayChange = useRight('tenant:member:update');
  const mayRemove = useRight('tenant:member:delete');
  const [removed, setRemoved] = useState<Member>();
  return (
    <>
      <Loaded query={query}>
        {({ data, pagination }) => (
          <>
            <Table
              label={texts.nav.members}
              rows={data}
              columns={[
                ['Who', ({ user }) => user.email ?? <Id value={user.id} />],
                ['Name', ({ user }) => [user.first_name, user.last_name].filter(Boolean).join(' ') || '–'],
                ['Role', ({ role }) => <Badge>{role}</Badge>],
                ['Since', ({ created_at: at }) => <Time at={at} />],
                [
                  'Actions',
                  (member) => (
                    <span className="row">
                      <Action right={mayChange} onClick={() => onChange(member)}>
                        Role…
                      </Action>
                      <Action danger right={mayRemove} onClick={() => setRemoved(member)}>
                        {texts.actions.delete}
                      </Action>
                    </span>
                  ),
                ],
              ]}
            />
            <Pager pagination={pagination} go={go} />
          </>
        )}
      </Loaded>
      {removed !== undefined && (
        <Confirm
          title={words.removeTitle(removed.user.email ?? removed.id)}
          action={texts.actions.delete}
          act={{ request: `DELETE /tenants/self/members/${removed.id}` }}
          onClose={() => setRemoved(undefined)}
        >
          <p>{words.removeEffect(removed.role)}</p>
        </Confirm>
      )}
    </>
  );
}

function Invitations() {
  const right = useRight('tenant:invitation:read');
  const query = useRead<Page<Invitation>>(
    right === undefined ? '/tenants/self/invitations?size=100' : undefined,
  );
  const mayDelete = useRight('tenant:invitation:delete');
  const [removed, setRemoved] = useState<Invitation>();
  if (query.data === undefined || query.data.data.length === 0) return null;
  return (
    <>
      <h2>Invitations</h2>
      {removed !== undefined && (
        <Confirm
          title={words.withdrawTitle(removed.email)}
          action={texts.actions.delete}
          act={{ request: `DELETE /tenants/self/invitations/${removed.id}` }}
          onClose={() => setRemoved(undefined)}
        >
          <p>{words.withdrawEffect}</p>
        </Confirm>
      )}
      <Table
        label="Invitations"
        rows={query.data.data}
        columns={[
          ['E-mail', ({ email }) => email],
          ['Role', ({ role }) => <Badge>{role}</Badge>],
          ['Status', ({ status }) => status.toLowerCase()],
          ['Ends', ({ expires_at: at }) => <Time at={at} />],
          [
            'Actions',
            (invitation) => (
              <Action danger right={mayDelete} onClick={() => setRemoved(invitation)}>
                {texts.actions.delete}
              </Action>
            ),
          ],
        ]}
      />
    </>
  );
}

const words = texts.members;

const optionsOf = (roles: readonly Role[]) =>
  roles.map(({ role, description }) => [role, `${role}: ${description}`] as const);

function Invite({ roles, onClose }: { readonly roles: readonly Role[]; readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('VIEWER');
  const write = useWrite(onClose);
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          write.mutate({ request: 'POST /tenants/self/invitations', body: { email, role } });
        }}
      >
        <p>No mail is sent: tell them to sign in here with this address within 72 hours.</p>
        <Field label="E-mail" type="email" value={email} onChange={setEmail} required />
        <Choice label="Role" value={role} options={optionsOf(roles)} onChange={setRole} />
        {write.error !== null && <Failure error={write.error} />}
        <div className="row end">
          <button type="button" className="button" onClick={onClose}>
            {texts.actions.cancel}
          </button>
          <button type="submit" className="button primary" disabled={write.isPending}>
            {texts.actions.invite}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function ChangeRole(props: {
  readonly member: Member;
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}) {
  const { member, roles, onClose } = props;
  const [role, setRole] = useState(member.role);
  return (
    <Confirm
      title={words.roleTitle(member.user.email ?? member.id)}
      action={texts.actions.save}
      act={{ request: `PUT /tenants/self/members/${member.id}`, body: { role } }}
      onClose={onClose}
    >
      <p>{words.roleEffect}</p>
      <Choice label={words.role} value={role} options={optionsOf(roles)} onChange={setRole} />
    </Confirm>
  );
}
