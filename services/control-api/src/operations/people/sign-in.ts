import type { Queryable, Transacting } from '@glovebox/platform/db/postgres';

import { type AuditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Person } from '../../identity/person.ts';
import type { RoleGrant } from '../../identity/roles-table.ts';
import { takeInvitations } from '../../invitations/store.ts';
import type { MemberRow } from '../../people/fields.ts';
import { type Role, higherOf } from '../../people/roles.ts';
import { type SessionClient, insertSession, newSessionId } from '../../people/sessions.ts';
import { holdMemberships, lockMember, membershipsOf, removeMember, writeMember } from '../../people/store.ts';
import { existingTenants } from '../../tenants/store.ts';

export interface SignIn {
  readonly person: Person;
  readonly grants: readonly RoleGrant[];
  readonly origin: Pick<AuditEvent, 'correlationId'> & SessionClient;
  /** Where the person wants to go; undefined: the first one in the order of names. */
  readonly tenantId: string | undefined;
}

/** A person without a role cannot sign in. */
export type SignedIn = { readonly sessionId: string; readonly tenantId: string } | undefined;

/**
 * Signs a person in to one of their tenants (contract/people.md#sign-in). The directory's roles are brought up to date
 * first, and invitations to the person's verified address are accepted.
 * @param db across all tenants
 */
export function signIn(db: Transacting, wanted: SignIn): Promise<SignedIn> {
  return db.transaction(async (tx) => {
    const now = new Date();
    const { userId } = wanted.person;
    const known = await membershipsOf(tx, userId);
    await applyDirectory(tx, wanted, known, now);
    await acceptInvitations(tx, wanted, now);
    const tenants = await existingTenants(
      tx,
      (await holdMemberships(tx, userId)).map((member) => member.tenant_id),
    );
    const chosen = tenants.find(({ id }) => id === wanted.tenantId) ?? tenants[0];
    if (chosen === undefined) return undefined;
    const sessionId = newSessionId();
    const holder = { kind: 'member', userId } as const;
    await insertSession(tx, { id: sessionId, tenantId: chosen.id, holder, client: wanted.origin }, now);
    await recordAuditEvent(tx, signInEvent(wanted, chosen.id, 'sign_in'));
    return { sessionId, tenantId: chosen.id };
  });
}

/** Gives the roles of the person's groups and domain, and takes those that the directory gave before. */
async function applyDirectory(
  tx: Queryable,
  wanted: SignIn,
  known: readonly MemberRow[],
  now: Date,
): Promise<void> {
  const given = rolesOf(wanted);
  const existing = await existingTenants(tx, [...given.keys()]);
  for (const { id } of existing) {
    const role = given.get(id);
    if (role !== undefined) await join(tx, wanted, { tenantId: id, role, source: 'directory' }, now);
  }
  for (const member of known) {
    if (member.source !== 'directory' || given.has(member.tenant_id)) continue;
    await removeMember(tx, member.tenant_id, member.id);
    const refused = signInEvent(wanted, member.tenant_id, 'sign_in');
    await recordAuditEvent(tx, { ...refused, outcome: 'denied', reason: 'no_role' });
  }
}

function rolesOf({ person, grants }: SignIn): ReadonlyMap<string, Role> {
  const domain = person.verifiedEmail?.split('@').at(-1);
  const roles = new Map<string, Role>();
  for (const { by, name, tenantId, role } of grants) {
    const fits = by === 'group' ? person.groups.includes(name) : name === domain;
    if (fits) roles.set(tenantId, higherOf(role, roles.get(tenantId) ?? role));
  }
  return roles;
}

/**
 * Of a person whose role the directory gives, an invitation changes nothing. It takes nothing from one who may do more:
 * otherwise a person who may invite could decide on an owner.
 */
async function acceptInvitations(tx: Queryable, wanted: SignIn, now: Date): Promise<void> {
  const { verifiedEmail, userId } = wanted.person;
  if (verifiedEmail === undefined) return;
  for (const { id, tenant_id: tenantId, role: given } of await takeInvitations(tx, verifiedEmail, now)) {
    const present = await lockMember(tx, tenantId, userId);
    if (present?.source !== 'directory') {
      const role = higherOf(given, present?.role ?? given);
      await join(tx, wanted, { tenantId, role, source: 'invitation' }, now);
    }
    const accepted = signInEvent(wanted, tenantId, 'accept');
    await recordAuditEvent(tx, { ...accepted, entityType: 'tenant_invitation', entityId: id });
  }
}

async function join(
  tx: Queryable,
  { person }: SignIn,
  { tenantId, role, source }: Pick<MemberRow, 'role' | 'source'> & { readonly tenantId: string },
  now: Date,
): Promise<void> {
  const { userId, email, firstName, lastName } = person;
  await writeMember(tx, {
    tenant_id: tenantId,
    id: userId,
    role,
    source,
    email,
    first_name: firstName,
    last_name: lastName,
    created_by: userId,
    created_at: now,
    modified_by: userId,
    modified_at: now,
  });
}

function signInEvent(
  { person, origin }: SignIn,
  tenantId: string,
  operation: 'sign_in' | 'accept',
): AuditEvent {
  return {
    ...origin,
    tenantId,
    actorId: person.userId,
    actorType: 'user',
    operation,
    entityType: 'member',
    entityId: person.userId,
  };
}
