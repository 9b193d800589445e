import type { JsonObject } from '../api/json.ts';
import type { Kind } from '../files/kinds.ts';

/** The body that creates or replaces a resource. */
export function requestOf(kind: Kind, name: string, definition: JsonObject, creates: boolean): JsonObject {
  if (kind === 'formulas') return { name, type: 'private', ...definition };
  if (kind !== 'applications') return { name, ...definition };
  // A key would be shown once, and to a log. `--keys` asks for one.
  if (creates) return { name, create_key: false, ...definition };
  const { type: _fixed, ...changeable } = definition;
  return { name, ...changeable };
}
