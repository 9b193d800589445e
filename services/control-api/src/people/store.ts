import type { Queryable } from '@glovebox/platform/db/postgres';

import { columnsOf } from '../fields/table.ts';
import { type MemberRow, memberFields } from './fields.ts';

const columns = columnsOf(memberFields);

/** The newest last, as they came. */
export async function listMembers(
  db: Queryable,
  tenantId: string,
  userIds: readonly string[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    'list-members',
    `SELECT ${columns} FROM members WHERE tenant_id = $1 AND ($2::uuid[] = '{}' OR id = ANY ($2))
      ORDER BY created_at, id LIMIT $3 OFFSET $4`,
    [tenantId, userIds, limit, offset],
  );
}

export async function countMembers(
  db: Queryable,
  tenantId: string,
  userIds: readonly string[],
): Promise<number> {
  const rows = await db.query<{ total: string }>(
    'count-members',
    `SELECT count(*) AS total FROM members WHERE tenant_id = $1 AND ($2::uuid[] = '{}' OR id = ANY ($2))`,
    [tenantId, userIds],
  );
  return Number(rows[0]?.total ?? 0);
}

/** Locks the row until the transaction ends. */
export async function lockMember(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<MemberRow | undefined> {
  const rows = await tx.query<MemberRow>(
    'lock-member',
    `SELECT ${columns} FROM members WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [tenantId, id],
  );
  return rows[0];
}

/** Everywhere that the user is a member. */
export async function membershipsOf(db: Queryable, userId: string): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    'memberships-of-user',
    `SELECT ${columns} FROM members WHERE id = $1 ORDER BY tenant_id`,
    [userId],
  );
}

/** The same, and none of them is removed until the transaction ends. */
export async function holdMemberships(tx: Queryable, userId: string): Promise<MemberRow[]> {
  return tx.query<MemberRow>(
    'hold-memberships',
    `SELECT ${columns} FROM members WHERE id = $1 ORDER BY tenant_id FOR KEY SHARE`,
    [userId],
  );
}

/** The same, and nobody signs in as the user, or goes on in another tenant, until the transaction ends. */
export async function lockMemberships(tx: Queryable, userId: string): Promise<void> {
  await tx.query(
    'lock-memberships',
    'SELECT tenant_id FROM members WHERE id = $1 ORDER BY tenant_id FOR UPDATE',
    [userId],
  );
}

/** Adds the member; one that is there gets this role, source and name. */
export async function writeMember(tx: Queryable, row: MemberRow): Promise<void> {
  await tx.query(
    'write-member',
    `INSERT INTO members (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (tenant_id, id) DO UPDATE SET role = excluded.role, source = excluded.source,
       email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name,
       modified_by = excluded.modified_by, modified_at = excluded.modified_at`,
    [
      row.tenant_id,
      row.id,
      row.role,
      row.source,
      row.email,
      row.first_name,
      row.last_name,
      row.created_by,
      row.created_at,
      row.modified_by,
      row.modified_at,
    ],
  );
}

/** Their sessions end with them. */
export async function removeMember(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query('remove-member', 'DELETE FROM members WHERE tenant_id = $1 AND id = $2', [tenantId, id]);
}
