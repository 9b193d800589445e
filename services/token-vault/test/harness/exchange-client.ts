import { CallStreamClient } from '@glovebox/platform/calls/client';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import {
  type Detokenize,
  type ExchangeRequest,
  type ExchangeResponse,
  type ListTokens,
  Paging,
  UsePurpose,
  type VaultCall,
  type VaultReply,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

import type { TestApplication } from './published.ts';

type Operation = NonNullable<VaultCall['operation']>;
type Json = Record<string, unknown>;

export const purposeId = '5d0c3c1a-9f0f-4b41-9c38-5d2b0a3a6f11';

export interface Page {
  readonly pagination: Json;
  readonly data: Json[];
}

export interface NewSession {
  readonly session_key: string;
  readonly nonce: string;
  readonly expires_at: string;
}

export interface CallExtras {
  readonly timeoutMs?: number;
  readonly traceparent?: string;
  readonly correlationId?: string;
  readonly clientAddress?: string;
  readonly idempotencyKey?: string;
  readonly idempotencyByBody?: boolean;
  readonly onReplay?: () => void;
}

/** An API key, or as whose application to act. */
export type Credential = Partial<Pick<VaultCall, 'apiKey' | 'delegation'>>;

/** Stands for the gateway, or the runner: calls over the real stream. Calls of one tick travel in one frame. */
export class ExchangeClient implements AsyncDisposable {
  readonly #stream: CallStreamClient<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>;

  constructor(channel: GrpcChannel) {
    this.#stream = new CallStreamClient<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>({
      openStream: () => channel.stream(VaultServiceService.exchange),
      frameOf: (calls, cancelled) => ({ calls, cancelled }),
      repliesOf: (response) => response.replies,
      sizeOf: () => 100,
      reconnectWaitMs: 5000,
    });
  }

  async call(
    credential: string | Credential,
    operation: Operation,
    extras: CallExtras = {},
  ): Promise<VaultReply['outcome']> {
    const { apiKey = '', delegation } = typeof credential === 'string' ? { apiKey: credential } : credential;
    const { traceparent = '', correlationId = 'test', timeoutMs = 15_000 } = extras;
    const { idempotencyKey, idempotencyByBody, clientAddress } = extras;
    const reply = await this.#stream.call(
      {
        apiKey,
        delegation,
        operation,
        traceparent,
        correlationId,
        clientAddress,
        idempotencyKey,
        idempotencyByBody,
      },
      { deadline: Date.now() + timeoutMs },
    );
    if (reply.outcome?.$case === 'error') throw fromWireError(reply.outcome.value);
    if (reply.replayed) extras.onReplay?.();
    return reply.outcome;
  }

  /** Values of expressions, parsed. */
  async use(
    caller: TestApplication,
    expressions: string[],
    extras?: CallExtras,
    more: Partial<Detokenize> = {},
  ): Promise<unknown[]> {
    const purpose = UsePurpose.USE_PURPOSE_PROXY;
    const value = { expressions, purpose, purposeId, proxy: undefined, ...more };
    const outcome = await this.call(caller.key, { $case: 'detokenize', value }, extras);
    if (outcome?.$case !== 'detokenized') throw new Error(`unexpected ${outcome?.$case}`);
    return outcome.value.values.map((text) => JSON.parse(text));
  }

  create(caller: TestApplication, body: unknown, extras?: CallExtras): Promise<Json> {
    return this.createRaw(caller, Buffer.from(JSON.stringify(body)), extras);
  }

  async createRaw(caller: TestApplication, body: Buffer, extras?: CallExtras): Promise<Json> {
    return parse(
      await this.call(caller.key, { $case: 'createToken', value: { body, parentId: '' } }, extras),
    );
  }

  async createChild(caller: TestApplication, parentId: string, body: unknown): Promise<Json> {
    const value = { body: Buffer.from(JSON.stringify(body)), parentId };
    return parse(await this.call(caller.key, { $case: 'createToken', value }));
  }

  async update(caller: TestApplication, tokenId: string, patch: unknown, extras?: CallExtras): Promise<Json> {
    const value = { tokenId, patch: Buffer.from(JSON.stringify(patch)) };
    return parse(await this.call(caller.key, { $case: 'updateToken', value }, extras));
  }

  async list(caller: TestApplication, query = '', more: Partial<ListTokens> = {}): Promise<Page> {
    const value = { query, paging: Paging.PAGING_NUMBERED, parentId: '', ...more };
    return parsePage(await this.call(caller.key, { $case: 'listTokens', value }));
  }

  async search(
    caller: TestApplication,
    body: unknown,
    paging: Paging = Paging.PAGING_NUMBERED,
  ): Promise<Page> {
    const value = { body: Buffer.from(JSON.stringify(body)), paging };
    return parsePage(await this.call(caller.key, { $case: 'searchTokens', value }));
  }

  async associate(
    caller: TestApplication,
    parentId: string,
    childId: string,
    extras?: CallExtras,
  ): Promise<void> {
    await this.call(caller.key, { $case: 'associateTokens', value: { parentId, childId } }, extras);
  }

  async dissociate(caller: TestApplication, parentId: string, childId: string): Promise<void> {
    await this.call(caller.key, { $case: 'dissociateTokens', value: { parentId, childId } });
  }

  async get(caller: TestApplication, tokenId: string): Promise<Json> {
    return parse(await this.call(caller.key, { $case: 'getToken', value: { tokenId } }));
  }

  async delete(caller: TestApplication, tokenId: string): Promise<void> {
    const outcome = await this.call(caller.key, { $case: 'deleteToken', value: { tokenId } });
    if (outcome?.$case !== 'deleted') throw new Error(`unexpected ${outcome?.$case}`);
  }

  async createSession(caller: Pick<TestApplication, 'key'>, extras?: CallExtras): Promise<NewSession> {
    const outcome = await this.call(caller.key, { $case: 'createSession', value: {} }, extras);
    if (outcome?.$case !== 'session') throw new Error(`unexpected ${outcome?.$case}`);
    return JSON.parse(outcome.value.json.toString()) as NewSession;
  }

  async authorizeSession(caller: TestApplication, body: unknown, localDestinations = false): Promise<void> {
    const value = { body: Buffer.from(JSON.stringify(body)), localDestinations };
    const outcome = await this.call(caller.key, { $case: 'authorizeSession', value });
    if (outcome?.$case !== 'done') throw new Error(`unexpected ${outcome?.$case}`);
  }

  async createKey(caller: TestApplication, body: unknown = {}, extras?: CallExtras): Promise<Json> {
    const value = { body: Buffer.from(JSON.stringify(body)) };
    return parse(await this.call(caller.key, { $case: 'createKey', value }, extras));
  }

  async getKey(caller: TestApplication, keyId: string): Promise<Json> {
    return parse(await this.call(caller.key, { $case: 'getKey', value: { keyId } }));
  }

  async listKeys(caller: TestApplication, query = ''): Promise<Page> {
    return parsePage(await this.call(caller.key, { $case: 'listKeys', value: { query } }));
  }

  async deleteKey(caller: TestApplication, keyId: string): Promise<void> {
    await this.call(caller.key, { $case: 'deleteKey', value: { keyId } });
  }

  async tokenize(caller: TestApplication, body: unknown, extras?: CallExtras): Promise<unknown> {
    const value = { body: Buffer.from(JSON.stringify(body)) };
    const outcome = await this.call(caller.key, { $case: 'tokenize', value }, extras);
    if (outcome?.$case !== 'tokenized') throw new Error(`unexpected ${outcome?.$case}`);
    return JSON.parse(outcome.value.json.toString());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stream.close(Date.now());
  }
}

function parsePage(outcome: VaultReply['outcome']): Page {
  if (outcome?.$case !== 'page') throw new Error(`unexpected ${outcome?.$case}`);
  return JSON.parse(outcome.value.json.toString()) as Page;
}

function parse(outcome: VaultReply['outcome']): Json {
  if (outcome?.$case !== 'token' && outcome?.$case !== 'key') throw new Error(`unexpected ${outcome?.$case}`);
  return JSON.parse(outcome.value.json.toString()) as Json;
}
