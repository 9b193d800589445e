import type { ExpiresAt } from '@glovebox/access/expires-at';

import { readExpiresAt } from '../../tokens/read-fields.ts';
import { own, type JsonValue } from '../../values/json-value.ts';
import { requireObject } from '../../values/read-json-body.ts';
import { ValidationProblems, type ReportProblem } from '../../values/validation-problems.ts';
import { type Encoding, encodings } from './client-key.ts';

export interface KeyRequest {
  readonly encoding: Encoding;
  readonly expiresAt: ExpiresAt | undefined;
}

/** @throws AppError `invalid_argument` with every problem at once */
export function readKeyRequest(sent: JsonValue, now: number): KeyRequest {
  const body = requireObject(sent);
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
