import { InboundCall } from '@glovebox/platform/calls/inbound';
import { AppError } from '@glovebox/platform/errors/app-error';
import { VaultCall, type VaultReply } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import type { VaultContext } from '../context/vault-context.ts';
import { KeyBarrier } from '../crypto/key-barrier.ts';
import { serveFrame } from './serve-frame.ts';

describe('a frame of calls', () => {
  it('is refused while the vault has too much to do, before its callers are looked up', async () => {
    const refusal = new AppError('unavailable', 'The service has too much to do at the moment.');
    const none = { add: () => undefined };
    const vault = {
      metrics: { frames: none, calls: none },
      logger: { warn: () => undefined },
      barrier: KeyBarrier.opened(),
      overload: {
        requireRoom: () => {
          throw refusal;
        },
      },
    } as unknown as VaultContext;
    const replies: (VaultReply | undefined)[] = [];
    const calls = [1, 2].map((id) => {
      const message = { ...VaultCall.decode(new Uint8Array()), id, timeoutMs: 1000 };
      return new InboundCall<VaultCall, VaultReply>(message, Date.now(), (call) => replies.push(call.answer));
    });
    await serveFrame(vault, calls, 'proxy-gateway');
    const codes = replies.map((reply) => reply?.outcome?.$case === 'error' && reply.outcome.value.code);
    expect(codes).to.deep.equal(['unavailable', 'unavailable']);
  });
});
