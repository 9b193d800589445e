import type { ExpiresAt } from '@glovebox/access/expires-at';
import { AppError } from '@glovebox/platform/errors/app-error';

import { readExpiresAt } from '../../tokens/read-fields.ts';
import { own, type JsonValue, isJsonObject } from '../../values/json-value.ts';
import { ValidationProblems, type ReportProblem } from '../../values/validation-problems.ts';
import { type Encoding, encodings } from './client-key.ts';

export interface KeyRequest {
  readonly encoding: Encoding;
  readonly expiresAt: ExpiresAt | undefined;
}

/**
 * @param now in milliseconds since 1970
 * @throws AppError `invalid_argument` with every problem at once
 */
export function readKeyRequest(body: JsonValue, now: number): KeyRequest {
  if (!isJsonObject(body)) throw new AppError('invalid_argument', 'The request body must be a JSON object.');
  const problems = new ValidationProblems();
  const encoding = readEncoding(own(body, 'encoding'), problems.at(''));
  const expiresAt = readExpiresAt(own(body, 'expires_at'), now, problems.at(''));
  problems.throwIfAny();
  return { encoding, expiresAt };
}

function readEncoding(value: JsonValue | undefined, report: ReportProblem): Encoding {
  if (value === undefined || value === null) return 'JWK';
  const encoding = encodings.find((known) => known === value);
  if (encoding === undefined) report('encoding', `must be one of ${encodings.join(', ')}`);
  return encoding ?? 'JWK';
}
