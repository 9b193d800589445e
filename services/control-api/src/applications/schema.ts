import { type ApplicationType, applicationTypes } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';
import { validatePermissions } from '@glovebox/access/validate-permissions';
import { validateRules } from '@glovebox/access/validate-rules';
import { validationError } from '@glovebox/platform/errors';
import * as z from 'zod';

import { type Problems, addProblems, hasProblems, readShape, required, resourceName } from '../http/shape.ts';
import type { ApplicationInput } from './new-application.ts';

const typeProblem = `must be one of ${applicationTypes.join(', ')}`;
const typeShape = z.object({
  type: z.enum(['private', 'public', 'management'] satisfies ApplicationType[], required(typeProblem)),
});
const nameShape = z.object({ name: resourceName });
const keyShape = z.object({ create_key: z.boolean('must be a boolean').nullish() });

/** What an update may set; the type stays for ever. */
export type ApplicationChange = Omit<ApplicationInput, 'type'>;

export interface ApplicationCreation extends ApplicationInput {
  /** Whether it comes with a key. */
  readonly createKey: boolean;
}

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readApplicationInput(body: unknown): ApplicationCreation {
  const problems: Problems = {};
  const type = readShape(typeShape, body, problems)?.type;
  const createKey = readShape(keyShape, body, problems)?.create_key ?? true;
  const change = readChange(body, type, problems);
  if (type === undefined || hasProblems(problems)) throw validationError(problems);
  return { type, createKey, ...change };
}

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readApplicationChange(body: unknown, type: ApplicationType): ApplicationChange {
  const problems: Problems = {};
  const change = readChange(body, type, problems);
  if (hasProblems(problems)) throw validationError(problems);
  return change;
}

/** Counts only if there were no problems. */
function readChange(body: unknown, type: ApplicationType | undefined, problems: Problems): ApplicationChange {
  const name = readShape(nameShape, body, problems)?.name ?? '';
  const sent = body as { permissions?: unknown; rules?: unknown };
  const permissions = validatePermissions(sent.permissions, type);
  const rules = validateRules(sent.rules, type);
  if (!permissions.ok) addProblems(problems, permissions.problems);
  if (!rules.ok) addProblems(problems, rules.problems);
  if (!permissions.ok || !rules.ok) return { name, permissions: [], rules: [] };
  requireGrants(permissions.value, rules.value, problems);
  return { name, permissions: permissions.value, rules: rules.value };
}

function requireGrants(
  permissions: readonly string[],
  rules: readonly AccessRule[],
  problems: Problems,
): void {
  if (permissions.length > 0 || rules.length > 0) return;
  addProblems(problems, { permissions: ['must not be empty unless there are rules'] });
}
