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

/** A token as the API shows it, without null attributes. */
export interface ShownToken {
  /** All attributes but `data`. */
  readonly attributes: JsonObject;
  /** JSON text, as it is stored or as the mask says. Plaintext is not parsed to be shown: that takes most of the time. */
  readonly data: string | undefined;
}

/**
 * Shows a token as the API does. The fingerprint is shown only with the plaintext, because it distinguishes data.
 * @param work the budget for its mask
 * @param knowsData the caller has just sent this data, or data that counts as equal
 */
export function presentToken(token: ReadableToken, work: WorkBudget, knowsData = false): ShownToken {
  const { row, view } = token;
  const data = dataAsShown(token, work);
  const shown: Record<string, JsonValue | undefined> = {
    id: row.id,
    tenant_id: row.tenantId,
    type: row.type,
    ...(view === 'reveal' && data !== undefined ? detailsOf(row.type, data) : {}),
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
  const attributes = Object.fromEntries(
    Object.entries(shown).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
  return { attributes, data };
}

/** The JSON text of a token that the caller may see. */
export function textOfToken({ attributes, data }: ShownToken): string {
  const text = JSON.stringify(attributes);
  return data === undefined ? text : `${text.slice(0, -1)},"data":${data}}`;
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
function dataAsShown({ row, view, data }: ReadableToken, work: WorkBudget): string | undefined {
  if (view === 'redact' || (view === 'mask' && row.mask === null)) return undefined;
  if (view === 'reveal') return data();
  const masked = evaluateMask(row.mask, parseJson(data()), undefined, work);
  return masked === undefined ? undefined : JSON.stringify(masked);
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
export function presentTokenIntent(rowId: string, { attributes }: ShownToken): JsonObject {
  const entries = Object.entries(attributes).filter(([name]) => shownNames.has(name));
  return { id: intentIdOf(rowId), ...Object.fromEntries(entries) };
}
