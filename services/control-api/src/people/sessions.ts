import { createHash, randomBytes } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';

import type { Role } from './roles.ts';

const minute = 60_000;
/** A session ends so long after its last request. */
export const idleMs = 15 * minute;
/** And at the latest so long after its start. */
export const longestMs = 12 * 60 * minute;
/** So often a session's last request is noted. */
const notedEveryMs = minute;
/** Of one person, or of one key, in a tenant; the oldest ends for a new one. */
const mostSessions = 20;
/** Characters of what a browser says of itself: it may say anything. */
const longestAgent = 200;

/** What a request is answered that comes after its end. */
export const sessionOver = 'The session has ended. Sign in again.';

/** Who signed in: a member, or the holder of a management key. */
export type SessionHolder =
  | { readonly kind: 'member'; readonly userId: string }
  | { readonly kind: 'key'; readonly keyHash: string };

/** Where a session began, for its holder to recognise it. */
export interface SessionClient {
  /** As the edge saw it; null: not known. */
  readonly clientAddress: string | null;
  /** What the browser says of itself. */
  readonly userAgent: string | undefined;
}

export interface ConsoleSession {
  /** By which it is listed; not the secret. */
  readonly publicId: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly holder:
    | {
        readonly kind: 'member';
        readonly userId: string;
        readonly role: Role;
        readonly email: string | null;
        readonly firstName: string | null;
        readonly lastName: string | null;
      }
    | { readonly kind: 'key'; readonly keyHash: string };
}

interface Row {
  readonly id: string;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly user_id: string | null;
  readonly key_hash: string | null;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly role: Role | null;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** 256 random bits. Only the browser has the id; the database has its hash. */
export function newSessionId(): string {
  return randomBytes(32).toString('base64url');
}

const hashOf = (id: string) => createHash('sha256').update(id).digest();

export interface NewSession {
  /** The secret of the cookie. */
  readonly id: string;
  readonly tenantId: string;
  readonly holder: SessionHolder;
  readonly client: SessionClient;
  /** From which its longest time counts; absent: now. */
  readonly signedInAt?: Date;
}

export async function insertSession(
  tx: Queryable,
  { id, tenantId, holder, client, signedInAt }: NewSession,
  now: Date,
): Promise<void> {
  const userId = holder.kind === 'member' ? holder.userId : null;
  const keyHash = holder.kind === 'key' ? holder.keyHash : null;
  await tx.query(
    'end-oldest-sessions',
    `DELETE FROM console_sessions WHERE id_hash IN (
       SELECT id_hash FROM console_sessions
        WHERE tenant_id = $1 AND (user_id = $2::uuid OR key_hash = $3::text)
        ORDER BY created_at DESC OFFSET $4)`,
    [tenantId, userId, keyHash, mostSessions - 1],
  );
  await tx.query(
    'insert-session',
    `INSERT INTO console_sessions (id_hash, tenant_id, user_id, key_hash, created_at, last_seen_at, client_address,
                                   user_agent)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      hashOf(id),
      tenantId,
      userId,
      keyHash,
      signedInAt ?? now,
      now,
      client.clientAddress,
      client.userAgent?.slice(0, longestAgent) ?? null,
    ],
  );
}

/** Undefined when there is none, or it has ended. Notes that it was seen. */
export async function findSession(db: Queryable, id: string, now: Date): Promise<ConsoleSession | undefined> {
  const hash = hashOf(id);
  const rows = await db.query<Row>(
    'find-session',
    `SELECT s.id, s.tenant_id, t.name AS tenant_name, s.user_id, s.key_hash, s.created_at, s.last_seen_at,
            m.role, m.email, m.first_name, m.last_name
       FROM console_sessions s
       JOIN tenants t ON t.id = s.tenant_id
       LEFT JOIN members m ON m.tenant_id = s.tenant_id AND m.id = s.user_id
      WHERE s.id_hash = $1 AND s.created_at > $2 AND s.last_seen_at > $3`,
    [hash, new Date(now.getTime() - longestMs), new Date(now.getTime() - idleMs)],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() >= notedEveryMs) {
    await db.query('note-session', 'UPDATE console_sessions SET last_seen_at = $2 WHERE id_hash = $1', [
      hash,
      now,
    ]);
  }
  return sessionOf(row);
}

function sessionOf(row: Row): ConsoleSession {
  const {
    id: publicId,
    tenant_id: tenantId,
    tenant_name: tenantName,
    created_at: createdAt,
    user_id: userId,
    role,
  } = row;
  const expiresAt = new Date(createdAt.getTime() + longestMs);
  const shared = { publicId, tenantId, tenantName, createdAt, expiresAt };
  if (userId === null || role === null)
    return { ...shared, holder: { kind: 'key', keyHash: row.key_hash ?? '' } };
  const { email, first_name: firstName, last_name: lastName } = row;
  return { ...shared, holder: { kind: 'member', userId, role, email, firstName, lastName } };
}

/** @returns whether there was one */
export async function endSession(db: Queryable, id: string): Promise<boolean> {
  const ended = await db.query(
    'end-session',
    'DELETE FROM console_sessions WHERE id_hash = $1 RETURNING tenant_id',
    [hashOf(id)],
  );
  return ended.length > 0;
}

/** A member whose role changes signs in again. */
export async function endSessionsOfMember(tx: Queryable, tenantId: string, userId: string): Promise<void> {
  await tx.query(
    'end-sessions-of-member',
    'DELETE FROM console_sessions WHERE tenant_id = $1 AND user_id = $2',
    [tenantId, userId],
  );
}

/** Removes those that have ended. */
export async function purgeSessions(db: Queryable, now: Date): Promise<void> {
  await db.query(
    'purge-sessions',
    'DELETE FROM console_sessions WHERE last_seen_at <= $1 OR created_at <= $2',
    [new Date(now.getTime() - idleMs), new Date(now.getTime() - longestMs)],
  );
}
