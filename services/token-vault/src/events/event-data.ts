import type { Session } from '../sessions/session-store.ts';
import type { TokenHead } from '../store/token-row.ts';
import { intentHead } from '../values/token-intent-id.ts';

type EmittedRow = Omit<TokenHead, 'revision' | 'modifiedBy' | 'modifiedAt'> &
  Partial<Pick<TokenHead, 'modifiedBy' | 'modifiedAt'>>;

/** What webhooks are told of a token (contract/webhooks.md#events): neither its data nor its mask. */
export function tokenData(row: EmittedRow): object {
  return {
    id: row.id,
    type: row.type,
    metadata: row.metadata === null || isLong(row.metadata) ? undefined : row.metadata,
    containers: [row.container],
    fingerprint: row.fingerprint ?? undefined,
    fingerprint_expression: row.fingerprintExpression ?? undefined,
    search_indexes: row.searchIndexes,
    expires_at: row.expiresAtText ?? undefined,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    modified_by: row.modifiedBy ?? undefined,
    modified_at: row.modifiedAt?.toISOString(),
  };
}

/** Metadata as JSON; what is longer is not told: events wait in the memory of the Redis that everything shares. */
const maxMetadataBytes = 1024;

function isLong(metadata: object): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes;
}

/** What is told of a token that was read. */
export function readData({ id, type }: Pick<TokenHead, 'id' | 'type'>): object {
  return { id, type };
}

/** Token intents are rows like tokens, and none to anybody who is told of tokens. */
export function isToken({ id }: { readonly id: string }): boolean {
  return !id.startsWith(intentHead);
}

/** What webhooks are told of a session: neither its key nor its nonce. */
export function sessionData({ id, applicationId, expiresAt }: Session): object {
  return { id, application: { id: applicationId }, expires_at: new Date(expiresAt).toISOString() };
}
