import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { SteadyLoad } from '../../../test/harness/steady-load.ts';
import { until } from '../../../test/harness/until.ts';
import type { VaultConfig } from '../src/config.ts';
import { runCli } from './harness/cli.ts';
import type { ExchangeClient } from './harness/exchange-client.ts';
import { Fixture } from './harness/fixture.ts';

const often = (config: VaultConfig): VaultConfig => ({
  ...config,
  rotation: { ...config.rotation, intervalMs: 20 },
});

describe('data keys', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await Fixture.start({}, often);
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const versions = () =>
    fixture.sql<{ version: string; tokens: string }>(
      `SELECT envelope_key_version(sealed_data) AS version, count(*) AS tokens FROM token GROUP BY 1 ORDER BY 1`,
    );
  const keys = () =>
    fixture.sql<{ version: number; seals: string }>(
      `SELECT version, seals FROM tenant_key WHERE kind = 'data' ORDER BY version`,
    );
  const values = async (gateway: ExchangeClient, ids: readonly string[]) =>
    gateway.use(fixture.owner, [...ids]);

  it('that have become old are rotated by themselves, and everything is sealed anew', async () => {
    const ids = await Promise.all([1, 2, 3].map((value) => fixture.token(`value ${value}`)));
    await fixture.sql(`UPDATE tenant_key SET created_at = now() - interval '366 days'`);
    await until('all tokens are sealed anew', async () => (await versions())[0]?.version === '2');
    expect(await versions()).to.deep.equal([{ version: '2', tokens: '3' }]);
    // Until no vault can seal under the previous key any more, it is looked again.
    expect(await fixture.sql('SELECT version FROM key_rotation')).to.deep.equal([{ version: 2 }]);
    await fixture.sql(`UPDATE tenant_key SET created_at = now() - interval '2 minutes' WHERE version = 2`);
    await until(
      'the rotation has ended',
      async () => (await fixture.sql('SELECT FROM key_rotation')).length === 0,
    );
    expect(await values(fixture.gateway, ids)).to.deep.equal(['value 1', 'value 2', 'value 3']);
    expect(
      (await keys()).map(({ version }) => version),
      'once',
    ).to.deep.equal([1, 2]);
  });

  it('have counted at least what they have sealed, over all vaults, and are rotated long before the bound', async () => {
    const first = await fixture.token('first');
    await using other = await fixture.anotherVault();
    for (let count = 0; count < 20; count += 1) {
      await Promise.all(
        [fixture.gateway, other.gateway].map((gateway) =>
          gateway.create(fixture.owner, { type: 'token', data: `value ${count}` }),
        ),
      );
    }
    const [counted] = await keys();
    expect(Number(counted?.seals)).to.be.at.least(41).and.at.most(200_000);
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const { stdout } = await runCli(['keys', 'list'], { DATABASE_URL, KEY_FILE });
    expect(stdout).to.include(`"seals":${counted?.seals}`);

    await fixture.sql('UPDATE tenant_key SET seals = 2^30::bigint - 1 WHERE version = 1');
    await using third = await fixture.anotherVault();
    await third.gateway.create(fixture.owner, { type: 'token', data: 'later' });
    expect((await versions()).map(({ version }) => version)).to.deep.equal(['1', '2']);
    expect(await values(third.gateway, [first])).to.deep.equal(['first']);
  });

  it('from before seals were counted seal nothing any more', async () => {
    const first = await fixture.token('first');
    await fixture.sql('UPDATE tenant_key SET seals = NULL');
    await using upgraded = await fixture.anotherVault();
    await upgraded.gateway.create(fixture.owner, { type: 'token', data: 'later' });
    expect((await versions()).map(({ version }) => version)).to.deep.equal(['1', '2']);
    expect(await values(upgraded.gateway, [first])).to.deep.equal(['first']);
  });
});

describe('the key encryption key', () => {
  it('is exchanged with old and new replicas side by side, under load, and no call fails', async () => {
    await using fixture = await Fixture.start();
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const original = JSON.parse(await readFile(KEY_FILE, 'utf8')) as { current: string; keys: object };
    const added = { 'local-new': randomBytes(32).toString('base64') };
    const fileOf = async (name: string, content: object): Promise<{ KEY_FILE: string }> => {
      const path = join(KEY_FILE, '..', name);
      await writeFile(path, JSON.stringify({ ...original, ...content }), { mode: 0o600 });
      return { KEY_FILE: path };
    };
    const both = await fileOf('both.json', { keys: { ...original.keys, ...added } });
    const current = await fileOf('current.json', {
      current: 'local-new',
      keys: { ...original.keys, ...added },
    });
    const onlyNew = await fileOf('new.json', { current: 'local-new', keys: added });
    const command = async (...args: string[]) => {
      const { code, stderr } = await runCli(args, { DATABASE_URL, ...current });
      expect([code, code === 0 ? '' : stderr]).to.deep.equal([0, '']);
    };

    let serving: readonly ExchangeClient[] = [fixture.gateway];
    const tokenId = await fixture.token('value');
    let turn = 0;
    const next = () => serving[(turn += 1) % serving.length]!;
    const load = new SteadyLoad(
      {
        kinds: {
          use: async () => {
            expect(await next().use(fixture.owner, [tokenId])).to.deep.equal(['value']);
          },
          create: async () => {
            const made = await next().create(fixture.owner, { type: 'token', data: 'new' });
            expect(await next().use(fixture.owner, [String(made['id'])])).to.deep.equal(['new']);
          },
          'first key of a tenant': async () => {
            const foreigner = await fixture.foreigner();
            const made = await next().create(foreigner, { type: 'token', data: 'first' });
            for (const gateway of serving) {
              expect(await gateway.use(foreigner, [String(made['id'])])).to.deep.equal(['first']);
            }
          },
        },
      },
      { callers: 3, pauseMs: 5 },
    );
    const phase = async (gateways: readonly ExchangeClient[]) => {
      serving = gateways;
      await load.goesOn(5);
    };
    try {
      await phase([fixture.gateway]);
      await using withBoth = await fixture.anotherVault(both);
      await phase([fixture.gateway, withBoth.gateway]);
      await phase([withBoth.gateway]);
      await using withCurrent = await fixture.anotherVault(current);
      await phase([withBoth.gateway, withCurrent.gateway]);
      await command('keys', 'rotate', '--no-wait');
      await load.goesOn(5);
      await phase([withCurrent.gateway]);
      await command('keys', 'rewrap');
      await using withNew = await fixture.anotherVault(onlyNew);
      await phase([withCurrent.gateway, withNew.gateway]);
      // Before the vaults that it calls end.
      await load.end();
    } finally {
      await load.end();
    }
    expect(load.failures).to.deep.equal([]);
    expect(await fixture.sql('SELECT DISTINCT key_id FROM tenant_key')).to.deep.equal([
      { key_id: 'local-new' },
    ]);
  }).timeout(120_000);
});
