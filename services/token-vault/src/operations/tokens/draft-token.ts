import type { Principal } from '@glovebox/access/principal';

import type { VaultContext } from '../../context/vault-context.ts';
import { fingerprint } from '../../crypto/fingerprint.ts';
import { searchHash } from '../../crypto/search-hash.ts';
import type { DataKey, IndexKeys } from '../../crypto/tenant-keys.ts';
import { WorkBudget } from '../../expressions/expression-limits.ts';
import type { NewToken } from '../../store/token-rows.ts';
import type { TokenLimits } from '../../tokens/data-limits.ts';
import type { DerivedValues } from '../../tokens/derive-values.ts';
import { sealData } from '../../tokens/open-rows.ts';
import type { TokenRequest } from '../../tokens/parse-token-request.ts';
import { holdsSecurityCode } from '../../tokens/security-code.ts';
import { aliasCandidate, generateTokenId } from '../../tokens/token-id.ts';

export interface Draft {
  /** Revision and tag are made as it is stored. */
  readonly row: Omit<NewToken, 'revision' | 'tag'>;
  readonly json: string;
  /** Of the same value: its own, and others that a stored token may have. */
  readonly fingerprints: readonly string[];
  /** The id is not random, so an expired token may still occupy it. */
  readonly isChosen: boolean;
  /** Whether an equal token may replace it. */
  readonly deduplicate: boolean;
}

export interface DraftContext {
  readonly caller: Principal;
  readonly limits: TokenLimits;
  readonly sealingKey: DataKey;
  readonly indexKeys: IndexKeys;
  /** Every token gets a fingerprint, whether its request asks for one or not. */
  readonly fingerprints: boolean;
  /** Equal tokens are deduplicated unless their request says otherwise. */
  readonly deduplicates: boolean;
  /** An existing duplicate takes over the new data. */
  readonly updatesDuplicates: boolean;
  readonly now: Date;
  readonly cvcExpiresAt: Date;
  /** For all evaluations of the request. */
  readonly work: WorkBudget;
}

export async function draftContextOf(vault: VaultContext, caller: Principal): Promise<DraftContext> {
  const [sealingKey, indexKeys, tenant] = await Promise.all([
    vault.keyring.currentSealingKey(caller.tenantId),
    vault.keyring.indexKeys(caller.tenantId),
    vault.published.tenantById(caller.tenantId),
  ]);
  // Fingerprints are on unless the tenant turns them off (contract/choices.md#fingerprint-by-default).
  const fingerprints = tenant?.settings['fingerprint_tokens'] !== 'false';
  const now = new Date();
  const cvcExpiresAt = new Date(now.getTime() + vault.cvcRetentionMs);
  const deduplicates = tenant?.settings['deduplicate_tokens'] === 'true';
  const updatesDuplicates = tenant?.settings['token_deduplication_behavior'] === 'update_existing';
  const keys = { sealingKey, indexKeys };
  const limits = vault.limits.token;
  const work = new WorkBudget();
  return { caller, limits, ...keys, fingerprints, deduplicates, updatesDuplicates, now, cvcExpiresAt, work };
}

/** @param tryAlias false: uses a random id in place of the alias */
export function draftToken(
  drafting: DraftContext,
  request: TokenRequest,
  derived: DerivedValues,
  tryAlias: boolean,
): Draft {
  const { caller, indexKeys } = drafting;
  const key = { tenantId: caller.tenantId, id: idOf(drafting, request, tryAlias) };
  const json = JSON.stringify(request.data);
  const text = derived.fingerprintText;
  const fingerprints = text === null ? [] : fingerprintsOf(indexKeys, request.type, text);
  const row: Draft['row'] = {
    ...key,
    type: request.type,
    container: request.container,
    sealedData: sealData(drafting.sealingKey, key, json),
    mask: request.mask,
    metadata: request.metadata ?? null,
    fingerprint: fingerprints[0] ?? null,
    fingerprintExpression: request.fingerprintExpression,
    searchIndexes: request.searchIndexes,
    searchHashes: derived.searchValues.map((value) => searchHash(indexKeys.search, value)),
    encryption: request.encryption ?? null,
    expiresAt: request.expiresAt === undefined ? null : new Date(request.expiresAt.epochMs),
    expiresAtText: request.expiresAt?.text ?? null,
    cvcExpiresAt: holdsSecurityCode(request.type, request.data) ? drafting.cvcExpiresAt : null,
    createdBy: caller.applicationId,
    createdAt: drafting.now,
  };
  return {
    row,
    json,
    fingerprints,
    isChosen: request.id !== undefined,
    deduplicate: isDeduplicated(drafting, request) && text !== null,
  };
}

/** The fingerprint of a text, and those that it has under other index keys. */
export function fingerprintsOf(keys: IndexKeys, type: string, text: string): readonly string[] {
  return [keys, ...keys.others].map((one) => fingerprint(one.fingerprint, type, text));
}

/** Whether the token of this request gets a fingerprint. */
export function wantsFingerprint(drafting: DraftContext, request: TokenRequest): boolean {
  return drafting.fingerprints || request.asksForFingerprint || isDeduplicated(drafting, request);
}

function isDeduplicated(drafting: DraftContext, request: TokenRequest): boolean {
  return request.deduplicateToken ?? drafting.deduplicates;
}

function idOf({ limits, work }: DraftContext, { id, data }: TokenRequest, tryAlias: boolean): string {
  if (id?.kind === 'literal') return id.id;
  if (id === undefined || !tryAlias) return generateTokenId();
  return aliasCandidate(id.expression, data, limits, work) ?? generateTokenId();
}
