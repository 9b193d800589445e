import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { columnsOf, tableOf } from '../fields/table.ts';
import { type Page, offsetOf } from '../http/page.ts';
import { type InvitationRow, type invitationStatuses, invitationFields } from './fields.ts';

export const { insert: insertInvitation } = tableOf('tenant_invitations', 'invitation', invitationFields);

const columns = columnsOf(invitationFields);

export interface InvitationFilter {
  readonly status: (typeof invitationStatuses)[number] | undefined;
  readonly now: Date;
}

export async function findInvitation(db: Queryable, tenantId: string, id: string): Promise<InvitationRow> {
  const rows = await db.query<InvitationRow>(
    'find-invitation',
    `SELECT ${columns} FROM tenant_invitations WHERE id = $1 AND tenant_id = $2`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

export async function listInvitations(
  db: Queryable,
  tenantId: string,
  { status, now }: InvitationFilter,
  page: Page,
): Promise<{ total: number; rows: InvitationRow[] }> {
  const matches = 'tenant_id = $1 AND ($2::boolean IS NULL OR (expires_at > $3) = $2)';
  const values = [tenantId, status === undefined ? null : status === 'PENDING', now];
  const counted = await db.query<{ total: string }>(
    'count-invitations',
    `SELECT count(*) AS total FROM tenant_invitations WHERE ${matches}`,
    values,
  );
  const rows = await db.query<InvitationRow>(
    'list-invitations',
    `SELECT ${columns} FROM tenant_invitations WHERE ${matches} ORDER BY created_at DESC, id LIMIT $4 OFFSET $5`,
    [...values, page.size, offsetOf(page)],
  );
  return { total: Number(counted[0]?.total ?? 0), rows };
}

export async function renewInvitation(
  db: Queryable,
  { tenant_id, id, expires_at, modified_by, modified_at }: Renewal,
): Promise<InvitationRow> {
  const rows = await db.query<InvitationRow>(
    'renew-invitation',
    `UPDATE tenant_invitations SET expires_at = $3, modified_by = $4, modified_at = $5
      WHERE id = $1 AND tenant_id = $2 RETURNING ${columns}`,
    [id, tenant_id, expires_at, modified_by, modified_at],
  );
  return rows[0] ?? missing();
}

type Renewal = Pick<InvitationRow, 'tenant_id' | 'id' | 'expires_at' | 'modified_by' | 'modified_at'>;

/** Removes the invitations of an address that can be accepted. @param email in lower case */
export async function takeInvitations(
  tx: Queryable,
  email: string,
  now: Date,
): Promise<readonly Pick<InvitationRow, 'id' | 'tenant_id' | 'role'>[]> {
  return tx.query<Pick<InvitationRow, 'id' | 'tenant_id' | 'role'>>(
    'take-invitations',
    'DELETE FROM tenant_invitations WHERE lower(email) = $1 AND expires_at > $2 RETURNING id, tenant_id, role',
    [email, now],
  );
}

export async function removeInvitation(db: Queryable, tenantId: string, id: string): Promise<InvitationRow> {
  const rows = await db.query<InvitationRow>(
    'remove-invitation',
    `DELETE FROM tenant_invitations WHERE id = $1 AND tenant_id = $2 RETURNING ${columns}`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

function missing(): never {
  throw new AppError('not_found', 'There is no such invitation.');
}
