import type { AccessLimits } from '@glovebox/access/access-limits';
import type { Permission } from '@glovebox/access/permission';
import type { Checked } from '@glovebox/access/problems';
import type { AccessRule } from '@glovebox/access/rules';
import { validatePermissions } from '@glovebox/access/validate-permissions';
import { validateRules } from '@glovebox/access/validate-rules';

import { readExpiresAt } from '../tokens/read-fields.ts';
import { own, type JsonValue } from '../values/json-value.ts';
import { requireObject } from '../values/read-json-body.ts';
import { ValidationProblems } from '../values/validation-problems.ts';

/** A request to authorize a session (contract/tenants.md#sessions). */
export interface Authorization {
  readonly nonce: string;
  readonly permissions: readonly Permission[];
  readonly rules: readonly AccessRule[];
  /** Milliseconds since the epoch; undefined: unchanged. */
  readonly expiresAt: number | undefined;
}

const maxNonceLength = 100;

export interface AuthorizationLimits {
  /** How far ahead `expires_at` may be. */
  readonly maxSessionLifetimeMs: number;
  /** As JSON: rules stay in memory, for as many sessions as a tenant may have. */
  readonly sessionRulesLength: number;
  readonly access: AccessLimits;
}

/** @throws AppError `invalid_argument` with every problem at once */
export function readAuthorization(
  sent: JsonValue,
  now: number,
  { maxSessionLifetimeMs: maxLifetimeMs, sessionRulesLength, access }: AuthorizationLimits,
): Authorization {
  const body = requireObject(sent);
  const problems = new ValidationProblems();
  const nonce = readNonce(own(body, 'nonce'), problems);
  const permissions =
    checked(validatePermissions(own(body, 'permissions'), 'session', access), problems) ?? [];
  const rules = checked(validateRules(own(body, 'rules'), 'session', access), problems) ?? [];
  const expiresAt = readExpiresAt(own(body, 'expires_at'), now, problems.at(''))?.epochMs;
  if (expiresAt !== undefined && expiresAt > now + maxLifetimeMs) {
    problems.add('expires_at', `must not be more than ${maxLifetimeMs / 1000} seconds ahead`);
  }
  if (!problems.any && permissions.length === 0 && rules.length === 0) {
    problems.add('permissions', 'must not be empty unless there are rules');
  }
  if (JSON.stringify(rules).length > sessionRulesLength) {
    problems.add('rules', `must have at most ${sessionRulesLength} characters of JSON altogether`);
  }
  problems.throwIfAny();
  return { nonce, permissions, rules, expiresAt };
}

function readNonce(value: JsonValue | undefined, problems: ValidationProblems): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxNonceLength) return value;
  if (value === undefined || value === null) problems.add('nonce', 'is required');
  else problems.add('nonce', `must be a string of 1 to ${maxNonceLength} characters`);
  return '';
}

function checked<T>(result: Checked<T>, problems: ValidationProblems): T | undefined {
  if (result.ok) return result.value;
  for (const [path, messages] of Object.entries(result.problems)) {
    for (const message of messages) problems.add(path, message);
  }
  return undefined;
}
