import { own, type JsonObject, type JsonValue, isJsonObject } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import type { TokenLimits } from './data-limits.ts';
import { mergePatch } from './merge-patch.ts';
import { containerOfPrivacy, movedByPrivacy } from './privacy.ts';
import { readData, readFingerprintExpression, readMask } from './read-content.ts';
import {
  readContainer,
  readEncryption,
  readExpiresAt,
  readFlag,
  readMetadata,
  readSearchIndexes,
} from './read-fields.ts';
import type { TokenContent } from './token-content.ts';
import { tokenTypes, type TokenType } from './token-type.ts';

/** What the derived values of a token depend on. */
export type Attribute = 'data' | 'mask' | 'metadata' | 'fingerprint_expression' | 'search_indexes';

export interface PatchedToken {
  readonly content: TokenContent;
  /** The attributes in the patch, whether it changes them or not. */
  readonly touched: ReadonlySet<Attribute>;
  /** The security code is new, so its retention starts again. */
  readonly setsSecurityCode: boolean;
  /** Undefined: the tenant's setting applies. */
  readonly deduplicateToken: boolean | undefined;
}

const attributes: readonly Attribute[] = [
  'data',
  'mask',
  'metadata',
  'fingerprint_expression',
  'search_indexes',
];

/**
 * The content of a token after a merge patch (contract/tokens.md#merge-patch): data, mask and metadata merge, other
 * attributes are replaced. Null restores the default of the type. Reports every problem; the result is valid only
 * if there is none.
 */
export function applyPatch(
  current: TokenContent & { readonly id: string },
  patch: JsonObject,
  now: number,
  limits: TokenLimits,
  report: ReportProblem,
): PatchedToken {
  const type = tokenTypes.get(current.type);
  if (type === undefined) throw new Error('a token has a type that this version does not know');
  for (const name of ['id', 'type'] as const) {
    if (Object.hasOwn(patch, name) && patch[name] !== current[name]) report(name, 'cannot be changed');
  }
  const data = own(patch, 'data');
  return {
    content: {
      type: current.type,
      data: data === undefined ? current.data : (mergeData(current.data, data, type, limits, report) ?? null),
      mask: mergeMask(current.mask, own(patch, 'mask'), type, limits, report),
      metadata: mergeMetadata(current.metadata, own(patch, 'metadata'), limits, report),
      fingerprintExpression: replaced(
        own(patch, 'fingerprint_expression'),
        current.fingerprintExpression,
        (value) => {
          return readFingerprintExpression(value, limits, report) ?? type.fingerprintExpression;
        },
      ),
      searchIndexes: replaced(own(patch, 'search_indexes'), current.searchIndexes, (value) => {
        return readSearchIndexes(value, limits, report) ?? type.searchIndexes;
      }),
      container: movedTo(current, patch, type, limits, report),
      expiresAt: replaced(own(patch, 'expires_at'), current.expiresAt, (value) =>
        readExpiresAt(value, now, report),
      ),
      encryption: replaced(own(patch, 'encryption'), current.encryption, (value) =>
        readEncryption(value, limits, report),
      ),
    },
    touched: new Set(attributes.filter((name) => Object.hasOwn(patch, name))),
    setsSecurityCode: isJsonObject(data) && (data['cvc'] ?? null) !== null,
    deduplicateToken: readFlag(own(patch, 'deduplicate_token'), 'deduplicate_token', report),
  };
}

function replaced<T>(value: JsonValue | undefined, current: T, read: (value: JsonValue) => T): T {
  return value === undefined ? current : read(value);
}

function mergeData(
  current: JsonValue,
  patch: JsonValue,
  type: TokenType,
  limits: TokenLimits,
  report: ReportProblem,
): JsonValue | undefined {
  return readData(mergePatch(current, patch), type, limits, report);
}

function mergeMask(
  current: JsonValue,
  patch: JsonValue | undefined,
  type: TokenType,
  limits: TokenLimits,
  report: ReportProblem,
): JsonValue {
  if (patch === undefined) return current;
  return readMask(mergePatch(current, patch), limits, report) ?? type.mask;
}

function mergeMetadata(
  current: TokenContent['metadata'],
  patch: JsonValue | undefined,
  limits: TokenLimits,
  report: ReportProblem,
): TokenContent['metadata'] {
  if (patch === undefined) return current;
  return readMetadata(mergePatch({ ...current }, patch), limits, report);
}

/** Older clients move a token by its privacy (contract/tokens.md#token-object). */
function movedTo(
  current: TokenContent,
  patch: JsonObject,
  type: TokenType,
  limits: TokenLimits,
  report: ReportProblem,
): string {
  const containers = own(patch, 'containers');
  if (containers === undefined) return movedByPrivacy(own(patch, 'privacy'), current.container, report);
  containerOfPrivacy(own(patch, 'privacy'), current.container, report);
  return readContainer(containers, limits, report) ?? type.container;
}
