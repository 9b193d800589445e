import type { Session } from '../sessions/session-store.ts';
import type { TokenHead } from '../store/token-row.ts';
import { intentHead } from '../values/token-intent-id.ts';

type EmittedRow = Omit<TokenHead, 'revision' | 'modifiedBy' | 'modifiedAt'> &
  Partial<Pick<TokenHead, 'modifiedBy' | 'modifiedAt'>>;

/** The data of a token's events (contract/webhooks.md#events): neither the token's data nor its mask. */
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

/** Longer metadata is left out: events wait in the memory of a Redis that all services share. */
const maxMetadataBytes = 1024;

function isLong(metadata: object): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes;
}

/** The data of a `token.read` event. */
export function readData({ id, type }: Pick<TokenHead, 'id' | 'type'>): object {
  return { id, type };
}

/** Token intents are rows like tokens, but have no events. */
export function isToken({ id }: { readonly id: string }): boolean {
  return !id.startsWith(intentHead);
}

/** The data of a session's events: neither its key nor its nonce. */
export function sessionData({ id, applicationId, expiresAt }: Session): object {
  return { id, application: { id: applicationId }, expires_at: new Date(expiresAt).toISOString() };
}
