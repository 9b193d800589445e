import type { Transform } from '@glovebox/access/rules';

import type { JsonObject } from '../expressions/json-value.ts';
import type { TokenRow } from '../store/token-row.ts';
import type { VaultContext } from '../vault-context.ts';
import type { Outcome } from './open-call.ts';
import { openRow } from './open-rows.ts';
import { presentToken } from './present-token.ts';
import type { ReadableToken } from './read-tokens.ts';

/** A token that a request has made, or that stands for the one it would have made. */
export interface StoredToken {
  readonly id: string;
  readonly show: () => JsonObject;
}

export function storedOutcome({ id, show }: StoredToken): Outcome {
  return { $case: 'token', value: { id, json: Buffer.from(JSON.stringify(show())) } };
}

export function storedToken(token: ReadableToken, extras?: JsonObject): StoredToken {
  return { id: token.row.id, show: () => ({ ...presentToken(token), ...(extras && { _extras: extras }) }) };
}

/** A token that was there already: whole for who may read it, and otherwise hardly more than its id (api-facts 3.9). */
export async function existingToken(
  vault: VaultContext,
  row: TokenRow,
  view: Transform | null,
  updated: boolean,
): Promise<StoredToken> {
  const extras = {
    deduplicated: true,
    deduplication_behavior: updated ? 'update_existing' : 'read_existing',
  };
  if (view !== null) {
    const json = await openRow(vault, row);
    return storedToken({ row, view, data: () => json }, extras);
  }
  const shown: JsonObject = {
    id: row.id,
    tenant_id: row.tenantId,
    type: row.type,
    fingerprint: row.fingerprint,
    containers: [row.container],
    _extras: extras,
  };
  return { id: row.id, show: () => shown };
}
