import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { asMissingTenant } from '../store/missing-tenant.ts';
import type { Cursor } from './cursor.ts';
import type { WebhookRow } from './webhook.ts';

const columns = `id, tenant_id, name, url, events, notify_email, status, secret_number, sealed_secret,
  sealed_previous_secret, previous_secret_until, created_by, created_at, modified_by, modified_at`;

export async function findWebhook(db: Queryable, tenantId: string, id: string): Promise<WebhookRow> {
  const rows = await db.query<WebhookRow>(
    'find-webhook',
    `SELECT ${columns} FROM webhooks WHERE id = $1 AND tenant_id = $2`,
    [id, tenantId],
  );
  return rows[0] ?? missing();
}

/** Newest first, those after the cursor. */
export function listWebhooks(
  db: Queryable,
  tenantId: string,
  after: Cursor | undefined,
  limit: number,
): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(
    'list-webhooks',
    `SELECT ${columns} FROM webhooks
      WHERE tenant_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
      ORDER BY created_at DESC, id DESC LIMIT $4`,
    [tenantId, after?.createdAt ?? null, after?.id ?? null, limit],
  );
}

/** Holds all webhooks of a tenant until the transaction ends. @returns the version of the list that is going to be */
export async function lockWebhooks(tx: Queryable, tenantId: string): Promise<number> {
  const rows = await tx
    .query<{ version: string }>(
      'lock-webhooks',
      `INSERT INTO webhook_lists (tenant_id, version) VALUES ($1, 1)
       ON CONFLICT (tenant_id) DO UPDATE SET version = webhook_lists.version + 1 RETURNING version`,
      [tenantId],
    )
    .catch(asMissingTenant);
  return Number(rows[0]?.version);
}

export async function allWebhooks(tx: Queryable, tenantId: string): Promise<WebhookRow[]> {
  return tx.query<WebhookRow>(
    'all-webhooks',
    `SELECT ${columns} FROM webhooks WHERE tenant_id = $1 ORDER BY created_at, id`,
    [tenantId],
  );
}

export async function insertWebhook(tx: Queryable, row: WebhookRow): Promise<void> {
  await tx.query(
    'insert-webhook',
    `INSERT INTO webhooks (id, name, url, events, notify_email, status, secret_number, sealed_secret,
       sealed_previous_secret, previous_secret_until, modified_by, modified_at, tenant_id, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [...changingValues(row), row.tenant_id, row.created_by, row.created_at],
  );
}

export async function replaceWebhook(tx: Queryable, row: WebhookRow): Promise<void> {
  await tx.query(
    'replace-webhook',
    `UPDATE webhooks
        SET name = $2, url = $3, events = $4, notify_email = $5, status = $6, secret_number = $7, sealed_secret = $8,
            sealed_previous_secret = $9, previous_secret_until = $10, modified_by = $11, modified_at = $12
      WHERE id = $1`,
    changingValues(row),
  );
}

export async function removeWebhook(tx: Queryable, tenantId: string, id: string): Promise<void> {
  const rows = await tx.query(
    'remove-webhook',
    'DELETE FROM webhooks WHERE id = $1 AND tenant_id = $2 RETURNING id',
    [id, tenantId],
  );
  if (rows.length === 0) missing();
}

/** The id, and what a change may change. */
function changingValues(row: WebhookRow): unknown[] {
  return [
    row.id,
    row.name,
    row.url,
    row.events,
    row.notify_email,
    row.status,
    row.secret_number,
    row.sealed_secret,
    row.sealed_previous_secret,
    row.previous_secret_until,
    row.modified_by,
    row.modified_at,
  ];
}

function missing(): never {
  throw new AppError('not_found', 'There is no such webhook.');
}
