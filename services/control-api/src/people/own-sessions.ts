import type { Queryable } from '@glovebox/platform/db/postgres';

import { type SessionHolder, idleMs, longestMs } from './sessions.ts';

/** A person has at most 20 in each tenant, and seldom many tenants. */
const mostListed = 200;

/** A session as its holder sees it. */
export interface OwnSession {
  readonly id: string;
  readonly tenantId: string;
  readonly tenantName: string;
  /** The sign-in. */
  readonly createdAt: Date;
  /** Exact to a minute. */
  readonly lastSeenAt: Date;
  /** At the latest. */
  readonly expiresAt: Date;
  readonly clientAddress: string | undefined;
  readonly userAgent: string | undefined;
}

interface Row {
  readonly id: string;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly client_address: string | null;
  readonly user_agent: string | null;
}

const ofHolder = `tenant_id = ANY ($1::uuid[]) AND (user_id = $2::uuid OR key_hash = $3::text)
  AND created_at > $4 AND last_seen_at > $5`;

/** Those that have not ended, the one that was seen last first. @param tenantIds where the holder may be signed in */
export async function listOwnSessions(
  db: Queryable,
  tenantIds: readonly string[],
  holder: SessionHolder,
  now: Date,
): Promise<OwnSession[]> {
  const rows = await db.query<Row>(
    'list-own-sessions',
    `SELECT s.id, s.tenant_id, t.name AS tenant_name, s.created_at, s.last_seen_at, s.client_address, s.user_agent
       FROM (SELECT * FROM console_sessions WHERE ${ofHolder}) s
       JOIN tenants t ON t.id = s.tenant_id
      ORDER BY s.last_seen_at DESC, s.id LIMIT ${mostListed}`,
    valuesOf(tenantIds, holder, now),
  );
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    tenantName: row.tenant_name,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: new Date(row.created_at.getTime() + longestMs),
    clientAddress: row.client_address ?? undefined,
    userAgent: row.user_agent ?? undefined,
  }));
}

/** @returns the tenant of the session; undefined: the holder has no such session */
export async function endOwn(
  tx: Queryable,
  tenantIds: readonly string[],
  holder: SessionHolder,
  now: Date,
  id: string,
): Promise<string | undefined> {
  const ended = await tx.query<{ tenant_id: string }>(
    'end-own-session',
    `DELETE FROM console_sessions WHERE ${ofHolder} AND id = $6 RETURNING tenant_id`,
    [...valuesOf(tenantIds, holder, now), id],
  );
  return ended[0]?.tenant_id;
}

/** @param kept the id of the one that goes on @returns the tenant of each that has ended */
export async function endOthers(
  tx: Queryable,
  tenantIds: readonly string[],
  holder: SessionHolder,
  now: Date,
  kept: string,
): Promise<string[]> {
  const ended = await tx.query<{ tenant_id: string }>(
    'end-other-sessions',
    `DELETE FROM console_sessions WHERE ${ofHolder} AND id <> $6 RETURNING tenant_id`,
    [...valuesOf(tenantIds, holder, now), kept],
  );
  return ended.map(({ tenant_id: tenantId }) => tenantId);
}

function valuesOf(tenantIds: readonly string[], holder: SessionHolder, now: Date): unknown[] {
  return [
    tenantIds,
    holder.kind === 'member' ? holder.userId : null,
    holder.kind === 'key' ? holder.keyHash : null,
    new Date(now.getTime() - longestMs),
    new Date(now.getTime() - idleMs),
  ];
}
