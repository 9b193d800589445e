import { randomUUID } from 'node:crypto';

import { CallStreamClient } from '@glovebox/platform/calls/client';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import type { Secret } from '@glovebox/platform/values/secret';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  UsePurpose,
  type VaultCall,
  type VaultReply,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

type Operation = NonNullable<VaultCall['operation']>;

/** Calls over the stream that a gateway has. */
export interface OwnCalls extends AsyncDisposable {
  /** Makes so many calls of every kind, most of them for one token. Rejects with the first that fails. */
  make(count: number, signal: AbortSignal): Promise<void>;
}

const atOnce = 16;
const timeoutMs = 30_000;
const purpose = { purpose: UsePurpose.USE_PURPOSE_PROXY, purposeId: randomUUID(), proxy: undefined };
/** A test number of the card schemes; nobody has such a card. */
const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 };

export async function connectOwnCalls(
  port: number,
  token: Secret<string>,
  apiKey: string,
): Promise<OwnCalls> {
  const channel = createGrpcChannel({ address: `127.0.0.1:${port}`, token });
  const client = new CallStreamClient<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>({
    openStream: () => channel.stream(VaultServiceService.exchange),
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: () => 200,
  });
  const call = async (operation: Operation) => {
    const body = { traceparent: '', correlationId: 'warm-up', apiKey, delegation: undefined, operation };
    const { outcome } = await client.call(body, { deadline: Date.now() + timeoutMs });
    if (outcome === undefined || outcome.$case === 'error')
      throw new Error(`a call of the warm-up failed: ${outcome?.value.code ?? 'no outcome'}`);
    return outcome;
  };
  const created = await call(creation);
  const operations = operationsOn(created.$case === 'token' ? created.value.id : '');
  return {
    async make(count, signal) {
      let made = 0;
      const caller = async () => {
        for (; made < count && !signal.aborted;) await call(operations[made++ % operations.length]!);
      };
      await Promise.all(Array.from({ length: atOnce }, caller));
    },
    async [Symbol.asyncDispose]() {
      await client.close(Date.now());
      channel.close();
    },
  };
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const creation: Operation = {
  $case: 'createToken',
  value: { body: json({ type: 'card', data: card }), parentId: '' },
};

function operationsOn(tokenId: string): readonly Operation[] {
  const use = (expression: string): Operation => ({
    $case: 'detokenize',
    value: { ...purpose, expressions: [expression] },
  });
  const whole = Array.from({ length: 8 }, () => use(tokenId));
  return [
    ...whole,
    use(`${tokenId} | json: '$.number'`),
    ...whole,
    { $case: 'getToken', value: { tokenId } },
    ...whole,
    { $case: 'tokenize', value: { body: json({ card: { type: 'card', data: card } }) } },
    ...whole,
    creation,
  ];
}
