import type { JsonObject } from '../api/json.ts';
import { schema } from '../gen/schema.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Kind } from './kinds.ts';

const members: Readonly<Record<string, readonly string[]>> = schema['x-members'];

/** Finds misspelt members before anything is sent. @throws CliError */
export function checkMembers(kind: Kind | 'egress_policy', definition: JsonObject, place: string): void {
  const known = members[kind] ?? [];
  const unknown = Object.keys(definition).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CliError(`${place}.${unknown}: is not known; known are ${known.join(', ')}`);
}
