import { searchHash } from '../../crypto/search-hash.ts';
import type { StoredRow, TokenRow } from '../../store/token-row.ts';
import type { Attribute, PatchedToken } from '../../tokens/apply-patch.ts';
import { checkMask, deriveFingerprintText, deriveSearchValues } from '../../tokens/derive-values.ts';
import { sealData } from '../../tokens/open-rows.ts';
import { holdsSecurityCode } from '../../tokens/security-code.ts';
import type { TokenContent } from '../../tokens/token-content.ts';
import { parseJson } from '../../values/json-value.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';
import { checkStorable } from './check-storable.ts';
import { type DraftContext, fingerprintsOf } from './draft-token.ts';

export interface ChangedToken {
  /** As it will be, but for its revision and tag. */
  readonly row: StoredRow;
  readonly json: string;
  /** Those of its value, if they were derived anew: its own, and others that a stored token may have. */
  readonly fingerprints: readonly string[];
  /** False: the sealed data is unchanged. */
  readonly changesData: boolean;
}

export interface ChangeOptions {
  readonly path?: string;
  /** The token gets no new fingerprint. */
  readonly withholdsFingerprint?: boolean;
}

/** The client's part of a stored token. */
export function contentOf(row: TokenRow, json: string): TokenContent & { readonly id: string } {
  const { expiresAt, expiresAtText, encryption } = row;
  return {
    id: row.id,
    type: row.type,
    data: parseJson(json),
    mask: row.mask,
    fingerprintExpression: row.fingerprintExpression ?? '',
    container: row.container,
    metadata: row.metadata ?? undefined,
    searchIndexes: row.searchIndexes,
    expiresAt: expiresAt === null ? undefined : { epochMs: expiresAt.getTime(), text: expiresAtText ?? '' },
    encryption: (encryption ?? undefined) as TokenContent['encryption'],
  };
}

/**
 * Reevaluates what depends on touched attributes, and seals. Other expressions are not evaluated again: their input
 * may be gone, like the security code of a card.
 */
export function changeToken(
  drafting: DraftContext,
  row: StoredRow,
  patched: PatchedToken,
  change: ChangeOptions,
): ChangedToken {
  const { content, touched } = patched;
  const { expiresAt } = content;
  const derived = deriveAnew(drafting, row, patched, change);
  const json = JSON.stringify(content.data);
  const changesData = touched.has('data');
  const changed = {
    sealedData: changesData ? sealData(drafting.sealingKey, row, json) : row.sealedData,
    searchHashes: derived.searchHashes ?? row.searchHashes,
    container: content.container,
    mask: content.mask,
    metadata: content.metadata ?? null,
    fingerprint: derived.fingerprint,
    fingerprintExpression: content.fingerprintExpression,
    searchIndexes: content.searchIndexes,
    encryption: content.encryption ?? null,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt.epochMs),
    expiresAtText: expiresAt?.text ?? null,
    cvcExpiresAt: cvcExpiryOf(drafting, row, patched),
    modifiedBy: drafting.caller.applicationId,
    modifiedAt: drafting.now,
  };
  return { row: { ...row, ...changed }, json, changesData, fingerprints: derived.fingerprints };
}

function deriveAnew(
  { indexKeys, fingerprints, deduplicates, limits, work }: DraftContext,
  row: TokenRow,
  { content, touched, deduplicateToken }: PatchedToken,
  { path = '', withholdsFingerprint = false }: ChangeOptions,
): Pick<ChangedToken, 'fingerprints'> & {
  readonly fingerprint: string | null;
  readonly searchHashes: readonly Buffer[] | null;
} {
  const problems = new ValidationProblems();
  const report = problems.at(path);
  const isTouched = (...names: Attribute[]) => names.some((name) => touched.has(name));
  checkStorable(content, report);
  if (isTouched('data', 'mask')) checkMask(content, report, work);
  const wantsFingerprint =
    fingerprints ||
    row.fingerprint !== null ||
    isTouched('fingerprint_expression') ||
    (deduplicateToken ?? deduplicates);
  const readsMetadata = isTouched('metadata') && content.fingerprintExpression.includes('metadata');
  const derivesFingerprint =
    wantsFingerprint &&
    (row.fingerprint === null || isTouched('data', 'fingerprint_expression') || readsMetadata);
  const text = derivesFingerprint ? deriveFingerprintText(content, report, work) : null;
  const searchValues = isTouched('data', 'search_indexes')
    ? deriveSearchValues(content, limits, report, work)
    : null;
  problems.throwIfAny();
  const made = text === null || withholdsFingerprint ? [] : fingerprintsOf(indexKeys, row.type, text);
  return {
    fingerprints: made,
    fingerprint: derivesFingerprint ? (made[0] ?? null) : row.fingerprint,
    searchHashes: searchValues?.map((value) => searchHash(indexKeys.search, value)) ?? null,
  };
}

/** Data that is not sealed again keeps its expiry. */
function cvcExpiryOf(drafting: DraftContext, row: TokenRow, patched: PatchedToken): Date | null {
  if (!patched.touched.has('data')) return row.cvcExpiresAt;
  if (!holdsSecurityCode(row.type, patched.content.data)) return null;
  return patched.setsSecurityCode ? drafting.cvcExpiresAt : (row.cvcExpiresAt ?? drafting.cvcExpiresAt);
}
