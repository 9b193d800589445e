import type { CallStreamClient } from '@glovebox/platform/calls/client';
import { AppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { type Context, isSampled, traceparentOf } from '@glovebox/platform/telemetry/tracing';
import type {
  AssociateTokens,
  Delegation,
  Detokenize,
  Detokenized,
  DissociateTokens,
  DryDetokenized,
  ExchangeRequest,
  ExchangeResponse,
  KeyJson,
  ListTokens,
  SearchTokens,
  TokenJson,
  VaultCall,
  VaultReply,
} from '@glovebox/protos/vault/v1/vault';

export type VaultStream = CallStreamClient<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>;

/** The credential and the context of a call. */
export interface VaultCaller {
  /** The API key as presented, or the proxy or reactor whose application user code acts as. */
  readonly credential: string | Delegation;
  readonly trace: Context | undefined;
  readonly correlationId: string;
  /** Where the request came from, as the edge saw it. */
  readonly clientAddress?: string | undefined;
  /** Writes with the same key run once, and the answer is replayed. */
  readonly idempotencyKey?: string | undefined;
  /** With another body it is another write, whatever its key. */
  readonly idempotencyByBody?: boolean | undefined;
  /** Called with paths of `json` filters that select nothing. Its errors reject the call. */
  readonly onUnselected?: ((paths: readonly string[]) => void) | undefined;
  /** Called when the answer is a replay. */
  readonly onReplay?: (() => void) | undefined;
  /** Aborts when the caller no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** Expressions and their purpose. */
export type Use = Omit<Detokenize, 'proxy'> & Partial<Pick<Detokenize, 'proxy'>>;

type Operation = NonNullable<VaultCall['operation']>;
type Outcome = NonNullable<VaultReply['outcome']>;
type OutcomeOf<Case extends Outcome['$case']> = Extract<Outcome, { $case: Case }>['value'];

/** The operations of the vault's data plane, each a call on a stream. All reject with AppError. */
export class VaultClient {
  readonly #stream: VaultStream;
  readonly #timeoutMs: number;

  constructor(stream: VaultStream, timeoutMs: number) {
    this.#stream = stream;
    this.#timeoutMs = timeoutMs;
  }

  /** A JSON text for each expression, in order, and which of them the caller may read in plaintext. */
  async detokenize(caller: VaultCaller, use: Use): Promise<Pick<Detokenized, 'values' | 'readable'>> {
    const value = { proxy: undefined, ...use };
    const reply = await this.#call(caller, { $case: 'detokenize', value }, 'detokenized');
    const { values, readable, unselectedPaths } = reply;
    if (values.length !== value.expressions.length) throw unexpected('values');
    if (unselectedPaths.length > 0) caller.onUnselected?.(unselectedPaths);
    return { values, readable };
  }

  /** Decides on the same, and gives stand-ins: nothing is recorded as a use. */
  async dryDetokenize(caller: VaultCaller, use: Use): Promise<DryDetokenized> {
    const value = { use: { proxy: undefined, ...use } };
    const reply = await this.#call(caller, { $case: 'dryDetokenize', value }, 'dryDetokenized').catch(
      withoutDryRuns,
    );
    if (reply.expressions.length !== use.expressions.length) throw unexpected('expressions');
    return reply;
  }

  /** @param parentId the parent of the new token; empty: none */
  createToken(caller: VaultCaller, body: Buffer, parentId = ''): Promise<TokenJson> {
    return this.#call(caller, { $case: 'createToken', value: { body, parentId } }, 'token');
  }

  getToken(caller: VaultCaller, tokenId: string): Promise<TokenJson> {
    return this.#call(caller, { $case: 'getToken', value: { tokenId } }, 'token');
  }

  async deleteToken(caller: VaultCaller, tokenId: string): Promise<void> {
    await this.#call(caller, { $case: 'deleteToken', value: { tokenId } }, 'deleted');
  }

  /** @param patch a merge patch (RFC 7396) */
  updateToken(caller: VaultCaller, tokenId: string, patch: Buffer): Promise<TokenJson> {
    return this.#call(caller, { $case: 'updateToken', value: { tokenId, patch } }, 'token');
  }

  /** A page of the tokens that the caller may read. */
  async listTokens(caller: VaultCaller, value: ListTokens): Promise<Buffer> {
    return (await this.#call(caller, { $case: 'listTokens', value }, 'page')).json;
  }

  /** A page of the tokens that the caller may search. */
  async searchTokens(caller: VaultCaller, value: SearchTokens): Promise<Buffer> {
    return (await this.#call(caller, { $case: 'searchTokens', value }, 'page')).json;
  }

  async associateTokens(caller: VaultCaller, value: AssociateTokens): Promise<void> {
    await this.#call(caller, { $case: 'associateTokens', value }, 'done');
  }

  async dissociateTokens(caller: VaultCaller, value: DissociateTokens): Promise<void> {
    await this.#call(caller, { $case: 'dissociateTokens', value }, 'done');
  }

  /** A new session of a public application, as the API shows it. */
  async createSession(caller: VaultCaller): Promise<Buffer> {
    return (await this.#call(caller, { $case: 'createSession', value: {} }, 'session')).json;
  }

  /** @param localDestinations whether destinations of rules may be on this machine */
  async authorizeSession(caller: VaultCaller, body: Buffer, localDestinations: boolean): Promise<void> {
    await this.#call(caller, { $case: 'authorizeSession', value: { body, localDestinations } }, 'done');
  }

  /** Only the same application can open it again. @param scope a SHA-256 */
  async sealAnswer(caller: VaultCaller, scope: Buffer, plaintext: Buffer): Promise<Buffer> {
    return (await this.#call(caller, { $case: 'sealAnswer', value: { scope, plaintext } }, 'answer')).value;
  }

  async openAnswer(caller: VaultCaller, scope: Buffer, sealed: Buffer): Promise<Buffer> {
    return (await this.#call(caller, { $case: 'openAnswer', value: { scope, sealed } }, 'answer')).value;
  }

  /** @returns the intent as the API shows it */
  createTokenIntent(caller: VaultCaller, body: Buffer): Promise<TokenJson> {
    return this.#call(caller, { $case: 'createTokenIntent', value: { body } }, 'token');
  }

  async deleteTokenIntent(caller: VaultCaller, intentId: string): Promise<void> {
    await this.#call(caller, { $case: 'deleteTokenIntent', value: { intentId } }, 'deleted');
  }

  /** @returns the public half of a new key, as the API shows it */
  createKey(caller: VaultCaller, body: Buffer): Promise<KeyJson> {
    return this.#call(caller, { $case: 'createKey', value: { body } }, 'key');
  }

  /** A page of the tenant's keys. @param query as it arrived */
  async listKeys(caller: VaultCaller, query: string): Promise<Buffer> {
    return (await this.#call(caller, { $case: 'listKeys', value: { query } }, 'page')).json;
  }

  getKey(caller: VaultCaller, keyId: string): Promise<KeyJson> {
    return this.#call(caller, { $case: 'getKey', value: { keyId } }, 'key');
  }

  async deleteKey(caller: VaultCaller, keyId: string): Promise<void> {
    await this.#call(caller, { $case: 'deleteKey', value: { keyId } }, 'deleted');
  }

  async tokenize(caller: VaultCaller, body: Buffer): Promise<Buffer> {
    return (await this.#call(caller, { $case: 'tokenize', value: { body } }, 'tokenized')).json;
  }

  async #call<Case extends Outcome['$case']>(
    caller: VaultCaller,
    operation: Operation,
    expected: Case,
  ): Promise<OutcomeOf<Case>> {
    const {
      credential,
      trace,
      correlationId,
      clientAddress,
      signal,
      idempotencyKey,
      idempotencyByBody,
      onReplay,
    } = caller;
    const isKey = typeof credential === 'string';
    const call = {
      traceparent: trace !== undefined && isSampled(trace) ? (traceparentOf(trace) ?? '') : '',
      correlationId,
      clientAddress,
      apiKey: isKey ? credential : '',
      delegation: isKey ? undefined : credential,
      idempotencyKey,
      idempotencyByBody,
      operation,
    };
    const deadline = Date.now() + this.#timeoutMs;
    const reply = await this.#stream.call(call, { deadline, signal }).catch(rethrow);
    if (reply.outcome?.$case === 'error') throw fromWireError(reply.outcome.value);
    if (reply.outcome?.$case !== expected) throw unexpected(expected);
    if (reply.replayed) onReplay?.();
    return reply.outcome.value as OutcomeOf<Case>;
  }
}

/** A vault of an earlier version does not know the operation, and does nothing. */
function withoutDryRuns(error: unknown): never {
  if (error instanceof AppError && /^The call names no operation\b/.test(error.message)) {
    throw new AppError('unavailable', 'A vault of an earlier version has no dry runs.', { cause: error });
  }
  throw error;
}

/** A slow vault is not the caller's timeout, so the caller may try again. */
function rethrow(error: unknown): never {
  if (error instanceof AppError && error.code === 'deadline_exceeded') {
    throw new AppError('unavailable', 'The token vault did not answer in time.', { cause: error });
  }
  throw error;
}

function unexpected(what: string): AppError {
  return new AppError('internal', 'The request could not be completed.', {
    cause: new Error(`the vault's reply does not hold the requested ${what}`),
  });
}
