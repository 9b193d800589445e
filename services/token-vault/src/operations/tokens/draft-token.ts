import type { Principal } from '@glovebox/access/principal';

import type { VaultContext } from '../../context/vault-context.ts';
import { type SealingKey, seal } from '../../crypto/envelope.ts';
import { fingerprint } from '../../crypto/fingerprint.ts';
import { searchHash } from '../../crypto/search-hash.ts';
import type { IndexKeys } from '../../crypto/tenant-keys.ts';
import type { NewToken } from '../../store/token-rows.ts';
import type { TokenLimits } from '../../tokens/data-limits.ts';
import type { DerivedValues } from '../../tokens/derive-values.ts';
import { dataBinding } from '../../tokens/open-rows.ts';
import type { TokenRequest } from '../../tokens/parse-token-request.ts';
import { holdsSecurityCode } from '../../tokens/security-code.ts';
import { aliasCandidate, generateTokenId } from '../../tokens/token-id.ts';

/** A token that is not stored yet; `json` is its data. */
export interface Draft {
  readonly row: NewToken;
  readonly json: string;
  /** The id is not random, so that an expired token may still have it. */
  readonly isChosen: boolean;
  /** An equal token may stand for it. */
  readonly deduplicate: boolean;
}

/** What the tokens of one request have in common. */
export interface DraftContext {
  readonly caller: Principal;
  readonly limits: TokenLimits;
  readonly sealingKey: SealingKey;
  readonly indexKeys: IndexKeys;
  /** Every token has a fingerprint, whether or not its request asks for one. */
  readonly fingerprints: boolean;
  /** Equal tokens become one, unless their request says otherwise. */
  readonly deduplicates: boolean;
  /** A token that stands for an equal one takes over its data. */
  readonly updatesDuplicates: boolean;
  readonly now: Date;
  readonly cvcExpiresAt: Date;
}

export async function draftContextOf(vault: VaultContext, caller: Principal): Promise<DraftContext> {
  const [sealingKey, indexKeys, tenant] = await Promise.all([
    vault.keyring.currentSealingKey(caller.tenantId),
    vault.keyring.indexKeys(caller.tenantId),
    vault.registry.tenantById(caller.tenantId),
  ]);
  // Every token has a fingerprint unless the tenant has said no (contract/choices.md#fingerprint-by-default).
  const fingerprints = tenant?.settings['fingerprint_tokens'] !== 'false';
  const now = new Date();
  const cvcExpiresAt = new Date(now.getTime() + vault.cvcRetentionMs);
  const deduplicates = tenant?.settings['deduplicate_tokens'] === 'true';
  const updatesDuplicates = tenant?.settings['token_deduplication_behavior'] === 'update_existing';
  const keys = { sealingKey, indexKeys };
  const limits = vault.limits.token;
  return { caller, limits, ...keys, fingerprints, deduplicates, updatesDuplicates, now, cvcExpiresAt };
}

/** @param tryAlias false: an alias is given up in favour of a random id */
export function draftToken(
  drafting: DraftContext,
  request: TokenRequest,
  derived: DerivedValues,
  tryAlias: boolean,
): Draft {
  const { caller, indexKeys } = drafting;
  const key = { tenantId: caller.tenantId, id: idOf(drafting, request, tryAlias) };
  const json = JSON.stringify(request.data);
  const deduplicate = request.deduplicateToken ?? drafting.deduplicates;
  const wantsFingerprint = drafting.fingerprints || request.asksForFingerprint || deduplicate;
  const text = wantsFingerprint ? derived.fingerprintText : null;
  const row: NewToken = {
    ...key,
    type: request.type,
    container: request.container,
    sealedData: seal(drafting.sealingKey, dataBinding(key), Buffer.from(json)),
    mask: request.mask,
    metadata: request.metadata ?? null,
    fingerprint: text === null ? null : fingerprint(indexKeys.fingerprint, request.type, text),
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
  return { row, json, isChosen: request.id !== undefined, deduplicate: deduplicate && text !== null };
}

function idOf({ limits }: DraftContext, { id, data }: TokenRequest, tryAlias: boolean): string {
  if (id?.kind === 'literal') return id.id;
  const alias = id !== undefined && tryAlias ? aliasCandidate(id.expression, data, limits) : undefined;
  return alias ?? generateTokenId();
}
