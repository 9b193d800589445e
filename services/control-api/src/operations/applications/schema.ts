import { parseExpiresAt } from '@glovebox/access/expires-at';
import { type ApplicationType, applicationTypes } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';
import { useLimitNames } from '@glovebox/access/use-limits';
import { validatePermissions } from '@glovebox/access/validate-permissions';
import { validateRules } from '@glovebox/access/validate-rules';
import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import type { ApplicationLimits } from '../../applications/fields.ts';
import type { ApplicationInput } from '../../applications/new-application.ts';
import {
  type Problems,
  addProblems,
  hasProblems,
  readShape,
  required,
  resourceName,
} from '../../http/shape.ts';
import { perLimits } from '../../limits/input-limits.ts';
import type { Dependencies } from '../dependencies.ts';

const typeProblem = `must be one of ${applicationTypes.join(', ')}`;
const typeShape = z.object({
  type: z.enum(
    ['private', 'public', 'management', 'expiring'] satisfies ApplicationType[],
    required(typeProblem),
  ),
});
const nameShapeOf = perLimits((limits) => z.object({ name: resourceName(limits) }));
const keyShape = z.object({ create_key: z.boolean('must be a boolean').nullish() });
const allowanceShape = z.object({
  can_create_expiring_applications: z.boolean('must be a boolean').nullish(),
});

/** The highest that the vault counts: it holds a hash of each distinct token in Redis for an hour. */
const highest = { uses_per_hour: 1_000_000_000, distinct_tokens_per_hour: 100_000 } as const;

const countTo = (most: number) => {
  const problem = `must be an integer from 1 to ${most}`;
  return z.int(problem).min(1, problem).max(most, problem).optional();
};
const limitsShape = z.object({
  limits: z
    .object(
      {
        uses_per_hour: countTo(highest.uses_per_hour),
        distinct_tokens_per_hour: countTo(highest.distinct_tokens_per_hour),
      },
      'must be an object',
    )
    .nullish(),
});

type Limits = Pick<Dependencies, 'inputLimits' | 'expiring'>;

/** The fields that an update sets; type and expiry never change. */
export interface ApplicationChange extends Pick<ApplicationInput, 'name' | 'permissions' | 'rules'> {
  readonly canCreateExpiring: boolean;
  readonly limits: ApplicationLimits | null;
}

export interface ApplicationCreation extends ApplicationInput {
  /** Whether it comes with a key. */
  readonly createKey: boolean;
}

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readApplicationInput(body: unknown, limits: Limits): ApplicationCreation {
  const problems: Problems = {};
  const type = readShape(typeShape, body, problems)?.type;
  const createKey = readShape(keyShape, body, problems)?.create_key ?? true;
  const expiresAt = readExpiresAt(body, type, problems);
  const change = readChange(body, type, limits, problems);
  if (type === undefined || hasProblems(problems)) throw validationError(problems);
  return { type, createKey, ...change, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readApplicationChange(
  body: unknown,
  type: ApplicationType,
  limits: Limits,
): ApplicationChange {
  const problems: Problems = {};
  const change = readChange(body, type, limits, problems);
  if (hasProblems(problems)) throw validationError(problems);
  return change;
}

/** Counts only if there were no problems. */
function readChange(
  body: unknown,
  type: ApplicationType | undefined,
  { inputLimits: limits, expiring: { rulesLength } }: Limits,
  problems: Problems,
): ApplicationChange {
  const name = readShape(nameShapeOf(limits), body, problems)?.name ?? '';
  const canCreateExpiring = readAllowance(body, type, problems);
  const useLimits = readUseLimits(body, type, problems);
  const sent = body as { permissions?: unknown; rules?: unknown };
  const permissions = validatePermissions(sent.permissions, type, limits.access);
  const rules = validateRules(sent.rules, type, limits.access);
  if (!permissions.ok) addProblems(problems, permissions.problems);
  if (!rules.ok) addProblems(problems, rules.problems);
  if (!permissions.ok || !rules.ok)
    return { name, permissions: [], rules: [], canCreateExpiring, limits: useLimits };
  requireGrants(permissions.value, rules.value, problems);
  if (type === 'expiring' && JSON.stringify(rules.value).length > rulesLength) {
    addProblems(problems, { rules: [`must have at most ${rulesLength} characters of JSON altogether`] });
  }
  return { name, permissions: permissions.value, rules: rules.value, canCreateExpiring, limits: useLimits };
}

function readAllowance(body: unknown, type: ApplicationType | undefined, problems: Problems): boolean {
  const allowed = readShape(allowanceShape, body, problems)?.can_create_expiring_applications ?? false;
  if (allowed && type !== undefined && type !== 'private') {
    addProblems(problems, {
      can_create_expiring_applications: ['can be true for a private application only'],
    });
  }
  return allowed;
}

/** Null: none. */
function readUseLimits(
  body: unknown,
  type: ApplicationType | undefined,
  problems: Problems,
): ApplicationLimits | null {
  const limits = readShape(limitsShape, body, problems)?.limits ?? {};
  if (useLimitNames.every((name) => limits[name] === undefined)) return null;
  if (type === 'management') {
    addProblems(problems, { limits: ['must not be set: a management application uses no tokens'] });
  }
  return limits;
}

function requireGrants(
  permissions: readonly string[],
  rules: readonly AccessRule[],
  problems: Problems,
): void {
  if (permissions.length > 0 || rules.length > 0) return;
  addProblems(problems, { permissions: ['must not be empty unless there are rules'] });
}

/** Of an expiring application (contract/tenants.md#expiring-applications). */
const defaultLifetimeMs = 60_000;
const maxLifetimeMs = 24 * 60 * 60_000;

const shape = z.object({ expires_at: z.string('must be a string').nullish() });

/** Undefined for an application that does not expire. */
export function readExpiresAt(
  body: unknown,
  type: ApplicationType | undefined,
  problems: Problems,
): Date | undefined {
  const text = readShape(shape, body, problems)?.expires_at || undefined;
  if (type === 'expiring' && text === undefined) return new Date(Date.now() + defaultLifetimeMs);
  if (text === undefined) return undefined;
  const moment = parseExpiresAt(text);
  const problem = problemOf(moment?.epochMs, type);
  if (problem !== undefined) addProblems(problems, { expires_at: [problem] });
  return moment === null ? undefined : new Date(moment.epochMs);
}

function problemOf(epochMs: number | undefined, type: ApplicationType | undefined): string | undefined {
  const now = Date.now();
  if (type !== undefined && type !== 'expiring') return 'can be set for an expiring application only';
  if (epochMs === undefined) return 'must be a date and time such as 2030-04-23T17:24:28-04:00';
  if (epochMs <= now) return 'must not be in the past';
  return epochMs > now + maxLifetimeMs ? 'must not be more than 24 hours ahead' : undefined;
}
