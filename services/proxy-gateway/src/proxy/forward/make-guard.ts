import { AppError } from '@glovebox/platform/errors/app-error';
import { type FilledValues, valuesToGuard } from '@glovebox/platform/redaction/filled-values';
import { LeakPatterns } from '@glovebox/platform/redaction/leak-patterns';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedLookups } from '@glovebox/published/published-lookups';
import type { TenantRecord } from '@glovebox/published/records';
import { guardModeOf } from '@glovebox/published/response-guard';

import { ResponseGuard, guarded } from '../../guard/response-guard.ts';
import { ThrownResponse } from '../../http/thrown-response.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';

export interface GuardDependencies {
  readonly published: PublishedLookups;
}

/**
 * The guard of the answer to a request that values were filled into; undefined where nothing is to be searched for.
 * @throws AppError `too_large` if there is too much to search for, and the answer must not pass without
 */
export function makeGuard(
  invocation: ProxyInvocation,
  filled: FilledValues,
  { published }: GuardDependencies,
): MaybePromise<ResponseGuard | undefined> {
  const { proxy } = invocation;
  if (proxy.responseGuard !== '') return guardOf(invocation, filled, undefined);
  return andThen(published.tenantById(proxy.tenantId), (tenant) => guardOf(invocation, filled, tenant));
}

/**
 * What code has answered by itself, as it may pass. Code of a request answers before there is a guard.
 * @returns the error to throw: this one, or the refusal
 */
export async function guardThrownResponse(
  error: unknown,
  invocation: ProxyInvocation,
  dependencies: GuardDependencies,
): Promise<unknown> {
  if (!(error instanceof ThrownResponse) || !('response' in error.answer)) return error;
  const { filled } = invocation;
  if (filled === undefined) return error;
  try {
    invocation.guard ??= await makeGuard(invocation, filled, dependencies);
    const response = guarded(error.answer.response, invocation.guard);
    return response === error.answer.response ? error : new ThrownResponse({ response });
  } catch (refusal) {
    return refusal;
  }
}

function guardOf(
  invocation: ProxyInvocation,
  filled: FilledValues,
  tenant: TenantRecord | undefined,
): ResponseGuard | undefined {
  const mode = guardModeOf(invocation.proxy.responseGuard, tenant?.settings);
  if (mode === 'off') return undefined;
  const values = valuesToGuard(filled);
  if (values.length === 0) return undefined;
  const patterns = new LeakPatterns(values, () => sentTexts(invocation));
  const guard = new ResponseGuard(mode, patterns);
  if (patterns.searched === values.length) return guard;
  if (mode !== 'report') throw tooMuch(mode);
  guard.unsearched = true;
  return guard;
}

/** What the caller has sent in plain: the URL, the headers, and the body if it was read. */
function* sentTexts({ exchange, sentBody }: ProxyInvocation): Iterable<Uint8Array> {
  const { url = '', rawHeaders } = exchange.request;
  yield Buffer.from(`${url}\n${rawHeaders.join('\n')}`, 'latin1');
  if (sentBody !== undefined) yield sentBody;
}

function tooMuch(mode: string): AppError {
  return new AppError(
    'too_large',
    `The values of the expressions are too large to be searched for in the answer (response_guard: ${mode}).`,
    { title: 'Invalid proxy request', fixed: true },
  );
}
