import type { JsonObject } from '../values/json-value.ts';
import { intentIdOf } from '../values/token-intent-id.ts';

const shownNames: ReadonlySet<string> = new Set([
  'tenant_id',
  'type',
  'fingerprint',
  'expires_at',
  'created_by',
  'created_at',
]);

/** The intent that a row stands for, of what the API would show of that row; never its data. */
export function presentTokenIntent(rowId: string, shown: JsonObject): JsonObject {
  const entries = Object.entries(shown).filter(([name]) => shownNames.has(name));
  return { id: intentIdOf(rowId), ...Object.fromEntries(entries) };
}
