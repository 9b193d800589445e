import { expect } from 'chai';

import { SteadyLoad } from '../../../test/harness/steady-load.ts';
import { until } from '../../../test/harness/until.ts';
import type { VaultConfig } from '../src/config.ts';
import { runCli } from './harness/cli.ts';
import type { ExchangeClient } from './harness/exchange-client.ts';
import { type AnotherVault, Fixture, card } from './harness/fixture.ts';

/** As in production, but quicker: a vault learns of a step long before the next one. */
const quick = (config: VaultConfig): VaultConfig => ({
  ...config,
  rotation: { ...config.rotation, intervalMs: 20, heldMs: 100, settleMs: 700 },
});

describe('a new index key', () => {
  let fixture: Fixture;
  let other: AnotherVault;
  beforeEach(async () => {
    fixture = await Fixture.start({}, quick);
    other = await fixture.anotherVault({}, quick);
  });
  afterEach(async () => {
    await other[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const rotate = async (...args: string[]) => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const { code, stdout } = await runCli(['keys', 'rotate-index', ...args], { DATABASE_URL, KEY_FILE });
    expect(code).to.equal(0);
    return JSON.parse(stdout) as Record<string, number>;
  };
  const ended = () =>
    until('it has ended', async () => (await fixture.sql('SELECT FROM index_rotation')).length === 0, 60_000);
  const bodyOf = (value: string) => ({
    type: 'token',
    data: value,
    search_indexes: ['{{ data }}'],
    deduplicate_token: true,
  });
  const idOf = async (gateway: ExchangeClient, value: string) =>
    String((await gateway.create(fixture.owner, bodyOf(value)))['id']);
  const found = async (gateway: ExchangeClient, value: string) =>
    (await gateway.search(fixture.owner, { query: `data:${value}` })).data.map(({ id }) => id);
  const fingerprints = async () =>
    new Map(
      (
        await fixture.sql<{ id: string; fingerprint: string | null }>('SELECT id, fingerprint FROM token')
      ).map(({ id, fingerprint }) => [id, fingerprint]),
    );

  it('changes every fingerprint and search hash, while duplicates and searches are right all the time', async () => {
    const gateways = [fixture.gateway, other.gateway];
    const values = Array.from({ length: 60 }, (_, index) => `known${index}`);
    const ids = new Map<string, string>();
    for (const value of values) ids.set(value, await idOf(fixture.gateway, value));
    const before = await fingerprints();
    let turn = 0;
    const next = () => gateways[(turn += 1) % 2]!;
    const any = () => values[(turn += 1) % values.length]!;
    const load = new SteadyLoad(
      {
        kinds: {
          duplicate: async () => {
            const value = any();
            expect(await idOf(next(), value)).to.equal(ids.get(value));
          },
          search: async () => {
            const value = any();
            expect(await found(next(), value)).to.deep.equal([ids.get(value)]);
          },
          'new value': async () => {
            const value = `new${(turn += 1)}`;
            const both = await Promise.all(gateways.map((gateway) => idOf(gateway, value)));
            expect(both[0]).to.equal(both[1]);
            for (const gateway of gateways) expect(await found(gateway, value)).to.deep.equal([both[0]]);
          },
          update: async () => {
            const id = ids.get(any()) ?? '';
            await next().update(fixture.owner, id, { metadata: { turn: String(turn) } });
          },
          'update to itself': async () => {
            const value = any();
            const updated = await next().update(fixture.owner, ids.get(value) ?? '', {
              data: value,
              deduplicate_token: true,
            });
            expect(updated['id']).to.equal(ids.get(value));
          },
        },
      },
      { callers: 5, pauseMs: 10 },
    );
    try {
      await load.goesOn(2);
      expect(await rotate()).to.include({ tenants_begun: 1, tenants_under_way: 1 });
      expect(await rotate()).to.include({ tenants_begun: 0, tenants_under_way: 1 });
      await ended();
      await load.goesOn(5);
    } finally {
      await load.end();
    }
    expect(load.failures).to.deep.equal([]);

    const after = await fingerprints();
    const kept = [...before].filter(([id, fingerprint]) => after.get(id) === fingerprint);
    expect(kept, 'fingerprints that stayed').to.deep.equal([]);
    expect(await fixture.sql(`SELECT 1 FROM tenant_key WHERE kind = 'index'`)).to.have.length(2);
    // A vault that knows only the new key finds everything.
    await using fresh = await fixture.anotherVault({}, quick);
    for (const value of values.slice(0, 30)) {
      expect(await idOf(fresh.gateway, value)).to.equal(ids.get(value));
      expect(await found(fresh.gateway, value)).to.deep.equal([ids.get(value)]);
    }
    const shown = await fresh.gateway.get(fixture.owner, ids.get('known1') ?? '');
    for (const gateway of gateways) {
      await until('it shows the new fingerprint', async () => {
        const { fingerprint } = await gateway.get(fixture.owner, ids.get('known1') ?? '');
        return fingerprint === shown['fingerprint'];
      });
    }
  }).timeout(120_000);

  it('keeps what it needs not change: repeated requests, and rows whose data stays', async () => {
    const body = Buffer.from(JSON.stringify({ type: 'token', data: 'once' }));
    const extras = { idempotencyKey: 'one', idempotencyByBody: true };
    const first = await fixture.gateway.createRaw(fixture.owner, body, extras);
    await rotate('--tenant', fixture.tenantId);
    await ended();
    const again = await other.gateway.createRaw(fixture.owner, body, extras);
    expect(again['id']).to.equal(first['id']);
    expect(await rotate('--status')).to.include({ tenants_under_way: 0 });
  });

  it('takes a fingerprint whose security code is gone, and makes that of one that is still there', async () => {
    const withCode = { type: 'card', fingerprint_expression: '{{ data.number }}{{ data.cvc }}' };
    const gone = await fixture.token(card, { ...withCode, deduplicate_token: false });
    const there = await fixture.token(card, { ...withCode, deduplicate_token: false });
    await fixture.edit(`cvc_expires_at = now() - interval '1 minute'`, [gone]);
    const before = await fingerprints();
    await using purging = await fixture.anotherVault({ PURGE_INTERVAL_MS: '100' });
    void purging;
    await until('the code is purged', async () => {
      const rows = await fixture.sql('SELECT FROM token WHERE id = $1 AND cvc_expires_at IS NULL', [gone]);
      return rows.length === 1;
    });
    await rotate();
    await ended();
    const after = await fingerprints();
    expect(after.get(gone)).to.equal(null);
    expect(after.get(there)).to.be.a('string').and.not.to.equal(before.get(there));
    expect(await fixture.gateway.use(fixture.owner, [gone])).to.have.length(1);
  });
});
