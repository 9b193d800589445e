import { isUtf8 } from 'node:buffer';

import { isHeaderValue } from '@glovebox/egress/header-list';
import { ExpressionError } from '@glovebox/expressions/expression-error';
import { type FoundInHeaders, findInHeaders } from '@glovebox/expressions/header-values';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { Bounds } from '../../http/exchange.ts';
import { headerObject } from '../../http/headers/header-object.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { type Variables, evaluate } from './evaluate.ts';

const title = 'Invalid proxy request';

/** A request's headers and its detokenized body, as far as it was read. */
export interface ReadMessage {
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  /** Undefined for a body that was not read whole. */
  readonly body: Buffer | undefined;
}

export function holdsBraces(headers: readonly string[]): boolean {
  for (let at = 1; at < headers.length; at += 2) {
    if (headers[at]!.includes('{{')) return true;
  }
  return false;
}

/**
 * The headers with the values of their expressions over configuration and the request itself
 * (contract/expressions.md#contexts): for secrets and signatures. Tokens are not reached from there.
 * @throws AppError
 */
export async function evaluateHeaders(
  invocation: ProxyInvocation,
  message: ReadMessage,
  vault: Pick<VaultClient, 'detokenize'>,
  maxBytes: number,
): Promise<readonly string[]> {
  const found = find(message.headers, invocation.exchange.bounds);
  if (found === undefined) return message.headers;
  const variables = found.expressions.some((text) => text.startsWith('proxy'))
    ? requestVariables(message, maxBytes)
    : undefined;
  const filled = found.fill(
    await evaluate(invocation, found.expressions, variables, vault, { opens: false }),
  );
  for (let at = 0; at + 1 < filled.length; at += 2) {
    if (isHeaderValue(filled[at + 1]!)) continue;
    throw invalid(`The header ${filled[at]} would hold characters that HTTP cannot carry.`);
  }
  return filled;
}

/** @throws AppError `too_large` for a body that was not read whole */
export function requestVariables({ headers, body }: ReadMessage, maxBytes: number): Variables {
  if (body === undefined || body.length > maxBytes) {
    throw new AppError(
      'too_large',
      `The body is binary or larger than the ${maxBytes} bytes that expressions can use.`,
    );
  }
  if (!isUtf8(body)) throw invalid('The body is not valid UTF-8, so that expressions cannot use it.');
  return { proxy: { request: { headers: headerObject(headers), body: body.toString() } } };
}

function find(headers: readonly string[], { expressions, headerBytes }: Bounds): FoundInHeaders | undefined {
  try {
    return findInHeaders(headers, { ...expressions, maxFilledBytes: headerBytes });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw invalid(`The header ${headers[error.position]} holds an expression that cannot be read.`);
  }
}

function invalid(message: string): AppError {
  return new AppError('invalid_argument', message, { title });
}
