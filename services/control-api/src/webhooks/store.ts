import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { columnsOf, tableOf } from '../fields/table.ts';
import { asMissingTenant } from '../tenants/missing-tenant.ts';
import type { Cursor } from './cursor.ts';
import { type WebhookRow, webhookFields } from './fields.ts';

export const { insert: insertWebhook, replace: replaceWebhook } = tableOf(
  'webhooks',
  'webhook',
  webhookFields,
);

const columns = columnsOf(webhookFields);

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

/** Locks the webhooks of a tenant until the transaction ends. @returns the next version of the list */
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

/** The next ones of all tenants, by id. */
export function pageOfWebhooks(db: Queryable, after: string, limit: number): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(
    'page-of-webhooks-to-reseal',
    `SELECT ${columns} FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** Stores secrets that are sealed anew; it is no change of the webhook. */
export async function replaceSealedWebhook(tx: Queryable, row: WebhookRow): Promise<void> {
  await tx.query(
    'reseal-webhook',
    'UPDATE webhooks SET sealed_secret = $2, sealed_previous_secret = $3 WHERE id = $1',
    [row.id, row.sealed_secret, row.sealed_previous_secret],
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

function missing(): never {
  throw new AppError('not_found', 'There is no such webhook.');
}
