import type { Transform } from '@glovebox/access/rules';

import type { VaultContext } from '../context/vault-context.ts';
import type { WorkBudget } from '../expressions/expression-limits.ts';
import type { TokenHead, TokenRow } from '../store/token-row.ts';
import { openRow } from '../tokens/open-rows.ts';
import type { JsonObject } from '../values/json-value.ts';
import { presentToken, type ReadableToken, type ShownToken } from './present-token.ts';

/** The permission under which a write shows the token. */
export type ShownBy = 'token:create' | 'token:update' | 'token:read';

/** A token that a request created, or the duplicate in its place. */
export interface TokenResult {
  readonly id: string;
  readonly present: (work: WorkBudget) => ShownToken;
  readonly reference: TokenReference;
}

/** Identifies a state of a token and why it was shown; holds none of its data. */
export interface TokenReference {
  readonly id: string;
  /** In milliseconds since 1970. A different date means a different token of the same id, or a changed one. */
  readonly createdAt: number;
  readonly modifiedAt: number | undefined;
  readonly shownBy: ShownBy;
  readonly extras: JsonObject | undefined;
}

/** @param isAsSent unchanged since this caller's request */
export function resultOfToken(
  token: ReadableToken,
  shownBy: ShownBy,
  extras?: JsonObject,
  isAsSent = true,
): TokenResult {
  const knowsData = isAsSent && hasSentData(shownBy, extras);
  return {
    id: token.row.id,
    present: (work) => {
      const { attributes, data } = presentToken(token, work, knowsData);
      return { attributes: extras ? { ...attributes, _extras: extras } : attributes, data };
    },
    reference: referenceTo(token.row, shownBy, extras),
  };
}

/** A token that existed before: without a view, hardly more than its id (contract/tokens.md#deduplication). */
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
  return {
    id: row.id,
    present: () => ({ attributes: shown, data: undefined }),
    reference: referenceTo(row, shownBy, extras),
  };
}

/** The creator of a token, or of its duplicate, has sent what the fingerprint is computed from. */
function hasSentData(shownBy: ShownBy, extras: JsonObject | undefined): boolean {
  return shownBy === 'token:create' || extras?.['deduplicated'] === true;
}

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
