import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { testPublication } from '../../../test/harness/test-publication.ts';
import { connect, peers } from './connection.ts';
import { Publisher } from './published.ts';
import { type Receiver, isSigned, startReceiver } from './receiver.ts';
import { startTestRunner } from './runner.ts';
import { until } from './until.ts';
import { type SealingVault, startSealingVault } from './vault.ts';

describe('a runner that is killed around a delivery', () => {
  let publisher: Publisher;
  let vault: SealingVault;
  let receiver: Receiver;
  before(async () => {
    publisher = await Publisher.start();
    vault = await startSealingVault('token-of-the-runner');
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
    await publisher[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    receiver.received.length = 0;
  });

  const startMortal = async (step: string): Promise<{ child: ChildProcess; port: number }> => {
    const child = fork(fileURLToPath(new URL('mortal-runner-main.ts', import.meta.url)), [step], {
      execArgv: ['--conditions=source'],
      env: {
        PUBLICATION_PUBLIC_KEYS: testPublication.setting,
        REDIS_URL: publisher.url.reveal(),
        REDIS_PREFIX: publisher.prefix,
        VAULT_ADDRESS: vault.address,
        SERVICE_TOKEN: 'token-of-the-runner',
        PEERS: Object.entries(peers)
          .map(([name, hash]) => `${name}=${hash}`)
          .join(','),
        EGRESS_PROFILE: 'development',
        GRPC_PORT: '0',
        METRICS_PORT: '0',
        WORKERS: '1',
      },
    });
    const [port] = await once(child, 'message');
    return { child, port: Number(port) };
  };
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const publish = async () => {
    const tenantId = randomUUID();
    const id = randomUUID();
    const place = { tenantId, recordId: id, field: 'secret.1' };
    const secrets = [{ number: 1, sealed: Buffer.from(JSON.stringify(place) + secret), endsAt: 0 }];
    await publisher.webhooks(tenantId, [
      { id, url: `${receiver.url}/hook`, events: ['reactor.completed'], secrets },
    ]);
    const apiKey = await publisher.application(tenantId, ['token:use']);
    return {
      apiKey,
      reactorId: await publisher.reactor(tenantId, 'module.exports = () => ({ raw: "ran" })'),
    };
  };

  const cases = {
    delivering: 'leaves what it was about to deliver to another one',
    settled: 'leaves to another one what it has kept and not told',
  };
  for (const [step, guarantee] of Object.entries(cases)) {
    it(`${guarantee}, at ${step}`, async () => {
      const { child, port } = await startMortal(step);
      const dead = once(child, 'exit');
      const connection = connect(port);
      const call = await publish();
      const body = Buffer.from(JSON.stringify({ callback_url: `${receiver.url}/callback` }));
      await connection.react({ ...call, body });
      child.send('die');
      await dead;
      await connection[Symbol.asyncDispose]();
      expect(receiver.received).to.have.length(0);
      await using _other = await startTestRunner({
        redis: publisher.connection,
        vaultAddress: vault.address,
        // So long it waits before it takes over.
        async: { lockMs: 2000 },
      });
      await until('both came', () => new Set(receiver.received.map(({ path }) => path)).size === 2);
      const told = receiver.received.filter(({ path }) => path === '/hook');
      expect(told.every((one) => isSigned(secret, one))).to.equal(true);
      expect(new Set(told.map(({ headers }) => headers['svc-webhook-id'])).size).to.equal(1);
      const result = receiver.received.find(({ path }) => path === '/callback');
      expect(JSON.parse(result?.text ?? '')).to.deep.equal({ raw: 'ran' });
    });
  }
});
