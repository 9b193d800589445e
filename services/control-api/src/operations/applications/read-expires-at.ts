import { parseExpiresAt } from '@glovebox/access/expires-at';
import type { ApplicationType } from '@glovebox/access/permission';
import * as z from 'zod';

import { type Problems, addProblems, readShape } from '../../http/shape.ts';

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
