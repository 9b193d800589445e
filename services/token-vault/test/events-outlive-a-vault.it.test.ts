import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { EventInbox } from '@glovebox/published/event-inbox';
import { redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import { ExchangeClient } from './harness/exchange-client.ts';
import { ownerRule } from './harness/fixture.ts';
import { Publisher } from './harness/published.ts';
import { portOf, spawnVault } from './harness/vault-process.ts';
import { prepareGround, startVault } from './harness/vault.ts';

describe('a vault that is killed', () => {
  it('once it has answered has its events sent by another one', async () => {
    await using publisher = await Publisher.start();
    await using ground = await prepareGround(publisher.prefix);
    const tenantId = await publisher.tenant();
    const owner = await publisher.application({ tenantId, rules: [ownerRule] });
    await publisher.webhook(tenantId, ['token.created', 'token.deleted']);

    const child = spawnVault({ ...ground.env });
    const token = new Secret(ground.tokens['proxy-gateway']);
    const channel = createGrpcChannel({ address: `127.0.0.1:${await portOf(child)}`, token });
    const gateway = new ExchangeClient(channel);
    const { id } = await gateway.create(owner, { type: 'token', data: 1 });
    await gateway.delete(owner, String(id));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await gateway[Symbol.asyncDispose]();
    channel.close();

    await using _next = await startVault(ground);
    const inbox = new EventInbox(publisher.redis, redisNames(publisher.prefix));
    const told: [string, unknown][] = [];
    for (const deadline = Date.now() + 8000; told.length < 2 && Date.now() < deadline; await wait(20)) {
      const taken = await inbox.take(10);
      await inbox.done(taken);
      told.push(...taken.map(({ event }): [string, unknown] => [event.type, event.data['id']]));
    }
    expect(told).to.deep.equal([
      ['token.created', id],
      ['token.deleted', id],
    ]);
  });
});
