import { createHash } from 'node:crypto';

import { ApiError } from '../api/api-error.ts';
import type { Api } from '../api/api.ts';
import { type JsonObject, isObject, plainText } from '../api/json.ts';
import { warningsOf } from '../api/warnings.ts';
import { type Kind, kindFacts } from '../files/kinds.ts';
import { equal, normalise } from '../plan/normalise.ts';
import { CliError } from '../terminal/cli-error.ts';
import { requestOf } from './request-of.ts';

export interface Creating {
  readonly api: Api;
  readonly tenant: string;
  readonly comment: string;
  readonly onWarning: (place: string, text: string) => void;
}

/**
 * Creates a resource once. The idempotency key is made of the name, so a second run at the same time, and one after a lost
 * answer, get the first one's answer instead of making another resource of this name.
 * @throws CliError if another run has made it with another definition
 */
export async function create(
  kind: Kind,
  name: string,
  definition: JsonObject,
  { api, tenant, comment, onWarning }: Creating,
): Promise<JsonObject> {
  const { path, versioned } = kindFacts[kind];
  const body = requestOf(kind, name, definition, true);
  const headers = versioned ? { 'SVC-Comment': comment } : {};
  let idempotencyKey = digest(['glovebox apply', tenant, kind, name]);
  for (;;) {
    const answer = await api.send('POST', path, { body, headers, idempotencyKey });
    for (const text of warningsOf(answer)) onWarning(`${kind}.${name}`, text);
    const created = isObject(answer.json) ? answer.json : {};
    const id = plainText(created['id']);
    if (created['name'] !== name) {
      throw new CliError(
        `${kind}.${name}: the service calls it ${plainText(created['name'])}; use that name`,
      );
    }
    if (answer.headers.get('SVC-IDEMPOTENT-REPLAY') !== 'true') return created;
    const present = await presentState(api, `${path}/${encodeURIComponent(id)}`);
    if (present !== undefined && present['name'] === name) {
      if (equal(normalise(kind, present), normalise(kind, definition))) return created;
      throw new CliError(`${kind}.${name}: somebody else has made it with another definition; run it again`);
    }
    // The one of that answer was deleted or renamed since.
    idempotencyKey = digest([idempotencyKey, id]);
  }
}

async function presentState(api: Api, path: string): Promise<JsonObject | undefined> {
  try {
    return await api.read(path);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
