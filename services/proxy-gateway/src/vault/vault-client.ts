import type { CallStreamClient } from '@glovebox/platform/call-stream-client';
import { AppError } from '@glovebox/platform/errors';
import { fromWireError } from '@glovebox/platform/errors-grpc';
import { isSampled, traceparentOf } from '@glovebox/platform/tracing';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  type TokenJson,
  UsePurpose,
  type VaultCall,
  type VaultReply,
} from '@glovebox/protos/vault/v1/vault';

import { clientGoneSignal } from '../http/client-gone.ts';
import type { Exchange } from '../http/exchange.ts';

export type VaultStream = CallStreamClient<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>;

type Operation = NonNullable<VaultCall['operation']>;
type Outcome = NonNullable<VaultReply['outcome']>;
type OutcomeOf<Case extends Outcome['$case']> = Extract<Outcome, { $case: Case }>['value'];

/** The vault's data-plane operations, each a call on the one stream. All reject with AppError. */
export class VaultClient {
  readonly #stream: VaultStream;
  readonly #timeoutMs: number;

  constructor(stream: VaultStream, timeoutMs: number) {
    this.#stream = stream;
    this.#timeoutMs = timeoutMs;
  }

  /** A JSON text for each expression, in their order. */
  async detokenize(
    exchange: Exchange,
    apiKey: string,
    expressions: readonly string[],
    proxyId: string,
  ): Promise<readonly string[]> {
    const value = {
      expressions: [...expressions],
      purpose: UsePurpose.USE_PURPOSE_PROXY,
      purposeId: proxyId,
    };
    const { values } = await this.#call(exchange, apiKey, { $case: 'detokenize', value }, 'detokenized');
    if (values.length !== expressions.length) throw unexpected('values');
    return values;
  }

  createToken(exchange: Exchange, apiKey: string, body: Buffer): Promise<TokenJson> {
    return this.#call(exchange, apiKey, { $case: 'createToken', value: { body } }, 'token');
  }

  getToken(exchange: Exchange, apiKey: string, tokenId: string): Promise<TokenJson> {
    return this.#call(exchange, apiKey, { $case: 'getToken', value: { tokenId } }, 'token');
  }

  async deleteToken(exchange: Exchange, apiKey: string, tokenId: string): Promise<void> {
    await this.#call(exchange, apiKey, { $case: 'deleteToken', value: { tokenId } }, 'deleted');
  }

  async tokenize(exchange: Exchange, apiKey: string, body: Buffer): Promise<Uint8Array> {
    const value = { body };
    return (await this.#call(exchange, apiKey, { $case: 'tokenize', value }, 'tokenized')).json;
  }

  async #call<Case extends Outcome['$case']>(
    exchange: Exchange,
    apiKey: string,
    operation: Operation,
    expected: Case,
  ): Promise<OutcomeOf<Case>> {
    const traceparent = isSampled(exchange.trace) ? (traceparentOf(exchange.trace) ?? '') : '';
    const call = { traceparent, correlationId: exchange.correlationId, apiKey, operation };
    const deadline = Date.now() + this.#timeoutMs;
    const signal = clientGoneSignal(exchange.response);
    const reply = await this.#stream.call(call, { deadline, signal }).catch(rethrow);
    if (reply.outcome?.$case === 'error') throw fromWireError(reply.outcome.value);
    if (reply.outcome?.$case !== expected) throw unexpected(expected);
    return reply.outcome.value as OutcomeOf<Case>;
  }
}

/** A slow vault is our fault and no request that took too long: the caller may try again. */
function rethrow(error: unknown): never {
  if (error instanceof AppError && error.code === 'deadline_exceeded') {
    throw new AppError('unavailable', 'The token vault did not answer in time.', { cause: error });
  }
  throw error;
}

function unexpected(what: string): AppError {
  return new AppError('internal', 'The request could not be completed.', {
    cause: new Error(`the vault's reply does not hold the ${what} asked for`),
  });
}
