import type { Transform } from '@glovebox/access/rules';

import type { WorkBudget } from '../expressions/expression-limits.ts';
import { evaluateMask } from '../expressions/mask.ts';
import type { TokenHead } from '../store/token-row.ts';
import { detailsOf } from '../tokens/card-and-bank-details.ts';
import { parseJson, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { intentIdOf } from '../values/token-intent-id.ts';

export interface ReadableToken {
  readonly row: TokenHead;
  readonly view: Transform;
  readonly data: () => string;
}

/**
 * Shows a token as the API does, without null attributes. The fingerprint is shown only with the plaintext, because
 * it distinguishes data.
 * @param work the budget for its mask
 * @param knowsData the caller has just sent this data, or data that counts as equal
 */
export function presentToken(token: ReadableToken, work: WorkBudget, knowsData = false): JsonObject {
  const { row, view } = token;
  const data = dataAsShown(token, work);
  const shown: Record<string, JsonValue | undefined> = {
    id: row.id,
    tenant_id: row.tenantId,
    type: row.type,
    data,
    ...(view === 'reveal' ? detailsOf(row.type, data) : {}),
    mask: row.mask ?? undefined,
    fingerprint: (view === 'reveal' || knowsData ? row.fingerprint : null) ?? undefined,
    fingerprint_expression: row.fingerprintExpression ?? undefined,
    containers: [row.container],
    privacy: privacyOf(row),
    metadata: row.metadata ?? undefined,
    search_indexes: [...row.searchIndexes],
    encryption: row.encryption ?? undefined,
    expires_at: row.expiresAtText ?? undefined,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    modified_by: row.modifiedBy ?? undefined,
    modified_at: row.modifiedAt?.toISOString(),
  };
  return Object.fromEntries(
    Object.entries(shown).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

const privacyContainer = /^\/(general|bank|pci|pii)\/(low|moderate|high)\//;

/** Older clients read it instead of the container (contract/choices.md#privacy). */
function privacyOf({ container, mask }: ReadableToken['row']): JsonObject | undefined {
  const match = privacyContainer.exec(container);
  if (match === null) return undefined;
  const [, classification = '', impact_level = ''] = match;
  return { classification, impact_level, restriction_policy: mask === null ? 'redact' : 'mask' };
}

/** Opens the data only if the view shows some of it. */
function dataAsShown({ row, view, data }: ReadableToken, work: WorkBudget): JsonValue | undefined {
  if (view === 'redact' || (view === 'mask' && row.mask === null)) return undefined;
  const value = parseJson(data());
  return view === 'reveal' ? value : evaluateMask(row.mask, value, undefined, work);
}

const shownNames: ReadonlySet<string> = new Set([
  'tenant_id',
  'type',
  'fingerprint',
  'expires_at',
  'created_by',
  'created_at',
]);

/** The intent of a row, without its data. */
export function presentTokenIntent(rowId: string, shown: JsonObject): JsonObject {
  const entries = Object.entries(shown).filter(([name]) => shownNames.has(name));
  return { id: intentIdOf(rowId), ...Object.fromEntries(entries) };
}
