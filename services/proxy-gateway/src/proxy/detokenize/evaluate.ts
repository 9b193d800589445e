import { hashKey } from '@glovebox/access/api-key';
import { AppError } from '@glovebox/platform/errors/app-error';
import { UsePurpose } from '@glovebox/protos/vault/v1/vault';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { vaultCaller } from '../../vault/vault-caller.ts';
import { warnOfPaths } from '../../vault/warn-of-paths.ts';
import type { Invocation } from '../transform/run-transform.ts';

/** What variables in expressions stand for, each by its name. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * A JSON text for each expression of a proxied request, as the vault evaluates them for its caller.
 * @param opens whether they may be over what the client has encrypted
 * @param warns whether they are the caller's, who is told of a path that selects nothing
 * @throws AppError `invalid_argument` for what is no valid expression, `unauthenticated` for an anonymous caller: there
 * is nobody whose permission could allow the use.
 */
export async function evaluate(
  invocation: Invocation,
  expressions: readonly string[],
  variables: Variables | undefined,
  vault: VaultClient,
  { opens = true, warns = true }: { readonly opens?: boolean; readonly warns?: boolean } = {},
): Promise<readonly string[]> {
  const { exchange, caller, proxy, filled } = invocation;
  if (caller === undefined) {
    throw new AppError('unauthenticated', 'An anonymous request cannot use tokens: SVC-API-KEY is required.');
  }
  const encrypted = opens ? encryptedFor(expressions, exchange.headers.encrypted) : '';
  const named = variables !== undefined || encrypted !== '' || expressions.some(isConfig);
  const use = {
    expressions: [...expressions],
    purpose: UsePurpose.USE_PURPOSE_PROXY,
    purposeId: proxy.id,
    proxy: named ? contextOf(invocation, variables, encrypted) : undefined,
  };
  try {
    const values = await vault.detokenize(
      { ...vaultCaller(exchange, caller.apiKey), onUnselected: warns ? warnOfPaths(exchange) : undefined },
      use,
    );
    for (const value of values) filled.add(value);
    return values;
  } catch (error) {
    throw asProxyError(error);
  } finally {
    exchange.stages.enter('own');
  }
}

const isConfig = (expression: string) => expression.startsWith('config:');

/** What the client has encrypted is named by this expression. */
export const isEncrypted = (expression: string) => /^encrypted(?:[.[]|\s*(?:\||$))/.test(expression);

/** What the vault opens for them; empty when none of them can name it. */
function encryptedFor(expressions: readonly string[], header: string | undefined): string {
  if (header !== undefined && header !== '') {
    return expressions.some((expression) => expression.includes('encrypted')) ? header : '';
  }
  if (!expressions.some(isEncrypted)) return '';
  throw encryptedRequired();
}

export function encryptedRequired(): AppError {
  return new AppError('invalid_argument', 'The header SVC-ENCRYPTED is required: an expression is over it.', {
    title: 'Invalid proxy request',
  });
}

function contextOf(
  { exchange, proxy, target }: Invocation,
  variables: Variables | undefined,
  encrypted: string,
) {
  const key = exchange.headers.proxyKey ?? target.proxyKey;
  return {
    // One that stands in the request has none.
    keyHash: proxy.id === '' || key === undefined ? '' : hashKey(key),
    version: proxy.version,
    variables: variables === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(variables)),
    encrypted,
  };
}

/**
 * The vault knows nothing of proxies: what is wrong with an expression gets its title here
 * (contract/errors.md#proxy-errors).
 */
function asProxyError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_argument') return error;
  const { code, message, errors, cause } = error;
  return new AppError(code, message, { errors, cause, title: 'Invalid proxy request' });
}
