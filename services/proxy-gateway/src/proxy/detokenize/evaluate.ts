import { AppError } from '@glovebox/platform/errors/app-error';
import { addFilled } from '@glovebox/platform/redaction/filled-values';
import { type Reach, UsePurpose } from '@glovebox/protos/vault/v1/vault';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import { vaultCaller, warnOfPaths } from '../../vault/vault-caller.ts';
import { type ProxyInvocation, proxyKeyHashOf } from '../resolve/proxy-invocation.ts';

interface EvaluateOptions {
  readonly opens?: boolean;
  readonly fills?: boolean;
  readonly warns?: boolean;
  readonly reach?: Reach | undefined;
}

/** The values of variables in expressions, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * A JSON text for each expression of a proxied request, as the vault evaluates them for its caller.
 * @param opens whether they may be over what the client has encrypted
 * @param fills whether they are filled into what the destination gets: its answer is searched for them
 * @param reach where the values can get to; undefined: where the request can
 * @param warns whether they are the caller's own, so that a path that selects nothing is a warning
 * @throws AppError `invalid_argument` for an invalid expression, `unauthenticated` for an anonymous caller, who has no
 * permission to use tokens.
 */
export async function evaluate(
  invocation: ProxyInvocation,
  expressions: readonly string[],
  variables: Variables | undefined,
  vault: Pick<VaultClient, 'detokenize'>,
  { opens = true, fills = true, warns = true, reach = invocation.reach }: EvaluateOptions = {},
): Promise<readonly string[]> {
  const { exchange, caller, proxy, filledValues } = invocation;
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
    reach,
  };
  try {
    const { values, readable } = await vault.detokenize(
      { ...vaultCaller(exchange, caller.apiKey), onUnselected: warns ? warnOfPaths(exchange) : undefined },
      use,
    );
    for (const value of values) filledValues.add(value);
    if (fills) invocation.filled = addFilled(invocation.filled, values, readable);
    return values;
  } catch (error) {
    throw asProxyError(error);
  } finally {
    exchange.stages.enter('own');
  }
}

const isConfig = (expression: string) => expression.startsWith('config:');

/** Whether it names the ciphertext that the client has sent. */
export const isEncrypted = (expression: string) => /^encrypted(?:[.[]|\s*(?:\||$))/.test(expression);

/** The ciphertext that the vault opens for them; empty when none of them can name it. */
function encryptedFor(expressions: readonly string[], header: string | undefined): string {
  if (header !== undefined && header !== '') {
    return expressions.some((expression) => expression.includes('encrypted')) ? header : '';
  }
  if (!expressions.some(isEncrypted)) return '';
  throw encryptedRequired();
}

export function encryptedRequired(): AppError {
  return new AppError(
    'invalid_argument',
    'The header SVC-ENCRYPTED is required: an expression refers to it.',
    {
      title: 'Invalid proxy request',
    },
  );
}

function contextOf(invocation: ProxyInvocation, variables: Variables | undefined, encrypted: string) {
  return {
    keyHash: proxyKeyHashOf(invocation),
    version: invocation.proxy.version,
    variables: variables === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(variables)),
    encrypted,
  };
}

/**
 * The vault knows nothing of proxies: its errors about expressions get their title here
 * (contract/errors.md#proxy-errors).
 */
function asProxyError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_argument') return error;
  const { code, message, errors, cause } = error;
  return new AppError(code, message, { errors, cause, title: 'Invalid proxy request' });
}
