import { CallStreamClient } from '@glovebox/platform/calls/client';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import {
  type ExchangeRequest,
  type ExchangeResponse,
  UsePurpose,
  type VaultCall,
  type VaultReply,
  VaultServiceService,
} from '@glovebox/protos/vault/v1/vault';

import { apiKey } from './stores.ts';

export interface GatewaySide extends AsyncDisposable {
  /** @returns the token's id. */
  create(body: object): Promise<string>;
  /** Calls are gathered into frames as those of the gateway are. @returns the number of values. */
  use(expressions: string[]): Promise<number>;
}

const purposeId = '00000000-0000-4000-8000-000000000004';

export function connectToVault(port: number, token: string): GatewaySide {
  const channel = createGrpcChannel({ address: `127.0.0.1:${port}`, token: new Secret(token) });
  const client = new CallStreamClient<VaultCall, VaultReply, ExchangeRequest, ExchangeResponse>({
    openStream: () => channel.stream(VaultServiceService.exchange),
    frameOf: (calls, cancelled) => ({ calls, cancelled }),
    repliesOf: (response) => response.replies,
    sizeOf: () => 200,
  });
  let requests = 0;
  const call = async (operation: NonNullable<VaultCall['operation']>) => {
    requests += 1;
    const correlationId = `7f1c2a9e-0000-4000-8000-${requests.toString().padStart(12, '0')}`;
    const body = { traceparent: '', correlationId, apiKey, delegation: undefined, operation };
    return (await client.call(body, { deadline: Date.now() + 30_000 })).outcome;
  };
  return {
    async create(body) {
      const value = { body: Buffer.from(JSON.stringify(body)), parentId: '' };
      const outcome = await call({ $case: 'createToken', value });
      if (outcome?.$case === 'token') return outcome.value.id;
      throw new Error(`the vault answered ${JSON.stringify(outcome)}`);
    },
    async use(expressions) {
      const value = { expressions, purpose: UsePurpose.USE_PURPOSE_PROXY, purposeId, proxy: undefined };
      const outcome = await call({ $case: 'detokenize', value });
      if (outcome?.$case === 'detokenized') return outcome.value.values.length;
      throw new Error(`the vault answered ${JSON.stringify(outcome)}`);
    },
    async [Symbol.asyncDispose]() {
      await client.close(Date.now() + 1000);
      channel.close();
    },
  };
}
