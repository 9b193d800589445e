import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';
import pg from 'pg';

import { ExchangeClient } from './harness/exchange-client.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import { TcpRelay } from './harness/tcp-relay.ts';
import { portOf, spawnVault } from './harness/vault-process.ts';

const request = { type: 'card', data: card };

describe('a write of the vault with an idempotency key', () => {
  let fixture: Fixture;
  let replays: number;
  const keyed = (idempotencyKey: string) => ({ idempotencyKey, onReplay: () => void (replays += 1) });
  const countTokens = async () => Number((await fixture.sql('SELECT count(*) FROM token'))[0]?.['count']);

  before(async () => {
    fixture = await Fixture.start();
  });
  beforeEach(() => {
    replays = 0;
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('is done once, and answered as before, whatever its body is then', async () => {
    const { gateway, owner } = fixture;
    const before = await countTokens();
    const first = await gateway.create(owner, request, keyed('create'));
    expect(replays).to.equal(0);
    expect(await gateway.create(owner, request, keyed('create'))).to.deep.equal(first);
    expect(await gateway.create(owner, { type: 'token', data: 1 }, keyed('create'))).to.deep.equal(first);
    expect(replays).to.equal(2);
    expect(await countTokens()).to.equal(before + 1);
  });

  it('may be a tokenization, an update or an association', async () => {
    const { gateway, owner } = fixture;
    const tokenized = await gateway.tokenize(owner, { a: request }, keyed('k'));
    expect(await gateway.tokenize(owner, { a: request }, keyed('k'))).to.deep.equal(tokenized);
    const [parent, child] = [await fixture.token('parent'), await fixture.token('child')];
    const updated = await gateway.update(owner, parent, { data: 'new' }, keyed('k'));
    expect(await gateway.update(owner, parent, { data: 'newer' }, keyed('k'))).to.deep.equal(updated);
    expect((await gateway.get(owner, parent))['data']).to.equal('new');
    await gateway.associate(owner, parent, child, keyed('k'));
    await gateway.associate(owner, parent, child, keyed('k'));
    expect(replays).to.equal(3);
  });

  it('is done anew after it failed, and the refusal stays recorded', async () => {
    const { gateway } = fixture;
    const stranger = await fixture.application(['token:read']);
    const creating = () => gateway.create(stranger, request, keyed('refused'));
    expect((await failureOf(creating())).code).to.equal('permission_denied');
    expect((await failureOf(creating())).code).to.equal('permission_denied');
    const rows = await fixture.audit(stranger);
    expect(rows.map(({ outcome }) => outcome)).to.deep.equal(['denied', 'denied']);

    const reader = await fixture.application(
      [],
      [{ container: '/', transform: 'mask', permissions: ['token:update'] }],
    );
    const updating = () => gateway.update(reader, 'no such token', { data: 1 }, keyed('refused'));
    expect((await failureOf(updating())).code).to.equal('not_found');
    expect((await fixture.audit(reader)).map(({ reason }) => reason)).to.deep.equal(['unknown_token']);

    const bad = await failureOf(gateway.create(fixture.owner, { type: 'card', data: 1 }, keyed('bad')));
    expect(bad.code).to.equal('invalid_argument');
    expect(await gateway.create(fixture.owner, request, keyed('bad'))).to.include({ type: 'card' });
    expect(replays).to.equal(0);
  });

  it('is a conflict while another with the key runs, in whichever vault', async () => {
    const { gateway, owner } = fixture;
    await using other = await fixture.anotherVault();
    await using held = await holdRecords(fixture);
    const first = gateway.create(owner, request, keyed('at once'));
    await held.waitedFor();
    expect((await failureOf(other.gateway.create(owner, request, keyed('at once')))).code).to.equal(
      'conflict',
    );
    await held.release();
    const made = await first;
    expect(await other.gateway.create(owner, request, keyed('at once'))).to.deep.equal(made);
  });

  it('is refused when the key is too long, or not printable', async () => {
    for (const key of ['', 'x'.repeat(256), 'ä', 'a\n']) {
      const failure = await failureOf(fixture.gateway.create(fixture.owner, request, keyed(key)));
      expect([failure.code, Object.keys(failure.errors)]).to.deep.equal([
        'invalid_argument',
        ['SVC-IDEMPOTENCY-KEY'],
      ]);
    }
    await fixture.gateway.create(fixture.owner, request, keyed('x'.repeat(255)));
  });

  it('is done anew after its time', async () => {
    const { gateway, owner } = fixture;
    const first = await gateway.create(owner, request, keyed('old'));
    await fixture.sql("UPDATE idempotency_record SET expires_at = expires_at - interval '24 hours'");
    const second = await gateway.create(owner, request, keyed('old'));
    expect(second['id']).not.to.equal(first['id']);
    expect(await gateway.create(owner, request, keyed('old'))).to.deep.equal(second);
    expect(replays).to.equal(1);
  });

  it('is another write of another application or tenant, operation or token', async () => {
    const { gateway, owner } = fixture;
    const [one, two] = [await fixture.token(1), await fixture.token(2)];
    const colleague = await fixture.application(['token:create']);
    await gateway.create(owner, request, keyed('scope'));
    await gateway.create(colleague, request, keyed('scope'));
    await gateway.create(await fixture.foreigner(), request, keyed('scope'));
    await gateway.tokenize(owner, 'x', keyed('scope'));
    await gateway.update(owner, one, { data: 3 }, keyed('scope'));
    await gateway.update(owner, two, { data: 3 }, keyed('scope'));
    expect(replays).to.equal(0);
  });

  it('gives no visitor of a public application what another has stored', async () => {
    const { gateway, publisher, tenantId } = fixture;
    const shop = await publisher.application({ tenantId, type: 'public', permissions: ['token:create'] });
    const other = { ...request, data: { ...card, number: '5555555555554444' } };
    const mine = await gateway.create(shop, request, keyed('checkout'));
    const theirs = await gateway.create(shop, other, keyed('checkout'));
    expect(theirs['id']).not.to.equal(mine['id']);
    expect(await gateway.tokenize(shop, [1], keyed('checkout'))).not.to.deep.equal(
      await gateway.tokenize(shop, [2], keyed('checkout')),
    );
    expect(replays).to.equal(0);
    expect(await gateway.create(shop, request, keyed('checkout'))).to.deep.equal(mine);
    expect(await gateway.create(shop, other, keyed('checkout'))).to.deep.equal(theirs);
    expect(replays).to.equal(2);
  });

  it('is another write with another body, if the caller says so', async () => {
    const { gateway, owner } = fixture;
    const extras = { ...keyed('step'), idempotencyByBody: true };
    const create = (data: string) => gateway.create(owner, { type: 'token', data }, extras);
    const [one, two] = [await create('one'), await create('two')];
    expect(two['id']).not.to.equal(one['id']);
    expect(replays).to.equal(0);
    expect([await create('one'), await create('two')]).to.deep.equal([one, two]);
    expect(replays).to.equal(2);
  });

  it('leaves no readable answer, and none at all after its time', async () => {
    await using vault = await fixture.anotherVault({ PURGE_INTERVAL_MS: '10' });
    await vault.gateway.create(fixture.owner, request, keyed('hidden'));
    const rows = await fixture.sql<{ answer: Buffer }>('SELECT answer FROM idempotency_record');
    const text = rows.map(({ answer }) => answer.toString('latin1')).join('\n');
    expect(text).not.to.include(card.number).and.not.to.include('hidden');
    await fixture.sql('UPDATE idempotency_record SET expires_at = now()');
    while ((await fixture.sql('SELECT 1 FROM idempotency_record')).length > 0) await sleep(10);
  });

  it('says that its answer was too large to be kept', async () => {
    await using vault = await fixture.anotherVault({}, (config) => ({
      ...config,
      idempotency: { ...config.idempotency, maxAnswerBytes: 1 },
    }));
    await vault.gateway.create(fixture.owner, request, keyed('large'));
    const failure = await failureOf(vault.gateway.create(fixture.owner, request, keyed('large')));
    expect([failure.code, failure.message]).to.deep.equal([
      'conflict',
      'The request with this idempotency key has succeeded before. Its answer was too large to be kept.',
    ]);
  });
});

describe('a write of the vault with an idempotency key, when the vault is killed', () => {
  it('between its effect and the record of it, is done once by the retry', async () => {
    await using fixture = await Fixture.start();
    const { owner } = fixture;
    await using mortal = await startMortal(fixture);
    await using held = await holdRecords(fixture);
    const lost = failureOf(mortal.client.create(owner, request, { idempotencyKey: 'k' }));
    await held.waitedFor();
    await mortal.kill();
    expect((await lost).code).to.equal('unavailable');
    await held.release();
    let replayed = false;
    const extras = { idempotencyKey: 'k', onReplay: () => (replayed = true) };
    const made = await untilNoConflict(() => fixture.gateway.create(owner, request, extras));
    expect(replayed).to.equal(false);
    expect(await fixture.sql('SELECT id FROM token')).to.deep.equal([{ id: made['id'] }]);
  });

  it('between the record and the answer, is answered by the retry', async () => {
    await using fixture = await Fixture.start();
    const { owner } = fixture;
    await using mortal = await startMortal(fixture);
    // What was sent arrives; what is answered does not.
    const lost = failureOf(mortal.client.create(owner, request, { idempotencyKey: 'k' }));
    while ((await fixture.sql('SELECT 1 FROM idempotency_record')).length === 0) mortal.relay.fallSilent();
    await mortal.kill();
    mortal.relay.refuse();
    const answered = await lost.catch(() => undefined);
    if (answered !== undefined) expect(answered.code).to.equal('unavailable');
    const made = await fixture.gateway.create(owner, request, { idempotencyKey: 'k' });
    expect(await fixture.sql('SELECT id FROM token')).to.deep.equal([{ id: made['id'] }]);
  });
});

/** Lets no record be written; what happens before that in its transaction does. */
async function holdRecords(fixture: Fixture) {
  const client = new pg.Client({ connectionString: fixture.ground.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE idempotency_record IN EXCLUSIVE MODE');
  let released = false;
  const release = async () => {
    if (!released) await client.query('ROLLBACK');
    released = true;
  };
  const waiting = `SELECT 1 FROM pg_locks WHERE relation = 'idempotency_record'::regclass AND NOT granted`;
  return {
    release,
    waitedFor: async () => {
      while ((await fixture.sql(waiting)).length === 0) await sleep(5);
    },
    async [Symbol.asyncDispose]() {
      await release();
      await client.end();
    },
  };
}

/** A vault in a process of its own, called by way of a relay. */
async function startMortal(fixture: Fixture) {
  const child = spawnVault(fixture.ground.env);
  const exited = once(child, 'exit');
  const relay = await TcpRelay.start(`tcp://127.0.0.1:${await portOf(child)}`);
  const token = new Secret(fixture.ground.tokens['proxy-gateway']);
  const channel = createGrpcChannel({ address: new URL(relay.url).host, token });
  const client = new ExchangeClient(channel);
  await untilServed(client, fixture);
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    client,
    relay,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      await client[Symbol.asyncDispose]();
      channel.close();
      await relay[Symbol.asyncDispose]();
    },
  };
}

/** A vault that has just begun refuses every key: it cannot know yet whose it is. */
async function untilServed(client: ExchangeClient, { owner }: Fixture): Promise<void> {
  for (;;) {
    if ((await failureOf(client.get(owner, 'no such token'))).code === 'not_found') return;
    await sleep(20);
  }
}

/** Until the database has noticed that the vault is gone, its lock remains. */
async function untilNoConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'conflict') throw error;
      await sleep(10);
    }
  }
}
