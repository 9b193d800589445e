import type { Transform } from '@glovebox/access/rules';

import type { VaultContext } from '../context/vault-context.ts';
import type { Work } from '../expressions/work.ts';
import type { TokenHead, TokenRow } from '../store/token-row.ts';
import { openRow } from '../tokens/open-rows.ts';
import type { JsonObject } from '../values/json-value.ts';
import { presentToken, type ReadableToken } from './present-token.ts';

/** By which grant a token is shown to who has written it, or has found it written. */
export type ShownBy = 'token:create' | 'token:update' | 'token:read';

/** A token that a request has made, or that stands for the one it would have made. */
export interface TokenResult {
  readonly id: string;
  readonly show: (work: Work) => JsonObject;
  readonly kept: TokenReference;
}

/** Which state of which token was shown, and why; nothing of its data. */
export interface TokenReference {
  readonly id: string;
  /** In milliseconds since 1970: what has another date is another token of the same id, or was changed since. */
  readonly createdAt: number;
  readonly modifiedAt: number | undefined;
  readonly shownBy: ShownBy;
  readonly extras: JsonObject | undefined;
}

/** @param isAsSent nobody has changed it since this caller's own request */
export function resultOfToken(
  token: ReadableToken,
  shownBy: ShownBy,
  extras?: JsonObject,
  isAsSent = true,
): TokenResult {
  const knowsData = isAsSent && hasSentData(shownBy, extras);
  return {
    id: token.row.id,
    show: (work) => ({ ...presentToken(token, work, knowsData), ...(extras && { _extras: extras }) }),
    kept: referenceTo(token.row, shownBy, extras),
  };
}

/**
 * A token that was there already: whole for who may see it, and otherwise hardly more than its id
 * (contract/tokens.md#deduplication).
 */
export async function resultOfFound(
  vault: VaultContext,
  row: TokenRow,
  view: Transform | null,
  shownBy: ShownBy,
  extras?: JsonObject,
  isAsSent = true,
): Promise<TokenResult> {
  if (view !== null) {
    const json = await openRow(vault, row);
    return resultOfToken({ row, view, data: () => json }, shownBy, extras, isAsSent);
  }
  const { fingerprint } = row;
  const knowsData = isAsSent && hasSentData(shownBy, extras);
  const shown: JsonObject = {
    id: row.id,
    tenant_id: row.tenantId,
    type: row.type,
    ...(fingerprint !== null && knowsData && { fingerprint }),
    containers: [row.container],
    ...(extras && { _extras: extras }),
  };
  return { id: row.id, show: () => shown, kept: referenceTo(row, shownBy, extras) };
}

/** Who makes a token, or gets one for its equal, has sent what the fingerprint is of. */
function hasSentData(shownBy: ShownBy, extras: JsonObject | undefined): boolean {
  return shownBy === 'token:create' || extras?.['deduplicated'] === true;
}

/** A token that stands for its equal. */
export function resultOfDuplicate(
  vault: VaultContext,
  row: TokenRow,
  view: Transform | null,
  updated: boolean,
): Promise<TokenResult> {
  const deduplication_behavior = updated ? 'update_existing' : 'read_existing';
  return resultOfFound(vault, row, view, 'token:read', { deduplicated: true, deduplication_behavior });
}

function referenceTo(row: TokenHead, shownBy: ShownBy, extras: JsonObject | undefined): TokenReference {
  return {
    id: row.id,
    createdAt: row.createdAt.getTime(),
    modifiedAt: row.modifiedAt?.getTime(),
    shownBy,
    extras,
  };
}
