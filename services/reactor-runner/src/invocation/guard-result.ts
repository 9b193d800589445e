import { AppError } from '@glovebox/platform/errors/app-error';
import { LeakPatterns } from '@glovebox/platform/redaction/leak-patterns';
import { LeakSearch } from '@glovebox/platform/redaction/leak-search';
import { type GuardMode, guardModeOf } from '@glovebox/published/response-guard';

import type { Reply } from '../replies/reply.ts';
import type { ReactContext } from './invoker.ts';
import { maskJson } from './mask-json.ts';
import type { ResolvedReactor } from './resolve-reactor.ts';

/** The leak guard of one invocation of a reactor (contract/reactors.md#leak-guard). */
export interface ResultGuard {
  readonly mode: Exclude<GuardMode, 'off'>;
  readonly patterns: LeakPatterns;
}

/**
 * @param values that were filled into the arguments, and that the invoker may not get back
 * @returns undefined where nothing is to be searched for
 * @throws AppError `too_large` if there is too much to search for, and the result must not pass without
 */
export async function makeGuard(
  { published }: Pick<ReactContext, 'published'>,
  { tenantId, responseGuard }: Pick<ResolvedReactor, 'tenantId' | 'responseGuard'>,
  values: readonly string[],
): Promise<ResultGuard | undefined> {
  if (values.length === 0) return undefined;
  const tenant = responseGuard === '' ? await published.tenantById(tenantId) : undefined;
  const mode = guardModeOf(responseGuard, tenant?.settings);
  if (mode === 'off') return undefined;
  const patterns = new LeakPatterns(values);
  if (patterns.searched < values.length && mode !== 'report') {
    throw new AppError(
      'too_large',
      `The values of the arguments are too large to be searched for in the result (response_guard: ${mode}).`,
      { fixed: true },
    );
  }
  return { mode, patterns };
}

/**
 * What code has returned or answered by itself, as it may pass.
 * @param onLeak called if it holds a value
 * @throws AppError `response_leaks_value`
 */
export function guardReply(reply: Reply, { mode, patterns }: ResultGuard, onLeak: () => void): Reply {
  if (reply.$case !== 'answered' && reply.$case !== 'responded') return reply;
  const { json } = reply.value;
  const found = new LeakSearch(patterns).push(json);
  if (found.length === 0) return reply;
  onLeak();
  if (mode === 'refuse') throw leaks();
  const passing =
    mode === 'report'
      ? { json, leaks: true }
      : { json: maskJson(json, found, patterns) ?? refuse(), leaks: false };
  // Each case has a type of its own, and both have these members.
  return reply.$case === 'answered'
    ? { $case: 'answered', value: { ...reply.value, ...passing } }
    : { $case: 'responded', value: { ...reply.value, ...passing } };
}

function refuse(): never {
  throw leaks();
}

function leaks(): AppError {
  return new AppError(
    'response_leaks_value',
    'The result holds a value that was filled into the arguments. The response_guard refuses it.',
    { fixed: true },
  );
}
