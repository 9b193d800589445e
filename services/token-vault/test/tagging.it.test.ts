import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import { runCli } from './harness/cli.ts';
import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

describe('rows from before tags', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start({}, (config) => ({ ...config, tagIntervalMs: 20 }));
  });
  after(() => fixture[Symbol.asyncDispose]());

  const integrity = async (command: string) => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const { code, stdout, stderr } = await runCli(['integrity', command], { DATABASE_URL, KEY_FILE });
    expect([code, stderr]).to.deep.equal([0, '']);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const rowsWithoutTag = () => fixture.sql('SELECT * FROM token WHERE tag IS NULL');
  const keysOfFormat1 = () => fixture.sql(`SELECT 1 FROM tenant_key WHERE kind = 'data' AND row_format = 1`);

  it('are readable, are sealed anew once an operator begins it, and are refused after that', async () => {
    const { gateway, owner } = fixture;
    // A database that holds a key already is one that an earlier version has written.
    const earlier = '6b0f3f06-3f4c-4a80-9d0e-000000000000';
    await fixture.sql(
      `INSERT INTO tenant_key (tenant_id, kind, version, key_id, wrapped) VALUES ($1, 'data', 1, 'x', '')`,
      [earlier],
    );
    const ids = [await fixture.token('one'), await fixture.token('two')];
    const keeper = await fixture.application(['keys:create', 'keys:read']);
    const clientKey = await gateway.createKey(keeper);
    await fixture.sql('DELETE FROM tenant_key WHERE tenant_id = $1', [earlier]);
    const before = await rowsWithoutTag();
    expect(before).to.have.length(2);

    // Nothing happens by itself: a vault of an earlier version may still run.
    expect(await integrity('status')).to.deep.equal({
      begun: false,
      complete: false,
      tenants_waiting: 1,
      tokens_waiting: 2,
      client_keys_waiting: 1,
    });
    await gateway.update(owner, ids[0] ?? '', { metadata: { a: '1' } });
    expect(await rowsWithoutTag()).to.have.length(2);

    expect(await integrity('begin')).to.include({ begun: true, complete: false });
    while ((await rowsWithoutTag()).length > 0) await wait(10);
    expect(await gateway.use(owner, ids)).to.deep.equal(['one', 'two']);
    expect(await keysOfFormat1()).to.have.length(1);
    await fixture.sql(`UPDATE tenant_key SET created_at = now() - interval '1 hour'`);
    while ((await keysOfFormat1()).length > 0) await wait(10);
    expect(await integrity('status')).to.deep.equal({
      begun: true,
      complete: true,
      tenants_waiting: 0,
      tokens_waiting: 0,
      client_keys_waiting: 0,
    });
    expect(await gateway.getKey(keeper, String(clientKey['id']))).to.deep.equal(clientKey);

    // Who kept a row from before cannot bring it back, not even by calling the key one of format 1.
    const restore = `UPDATE token SET sealed_data = $2, tag = NULL, container = '/general/low/',
                            revision = nextval('token_revision') WHERE id = $1`;
    await fixture.sql(restore, [ids[1], before.find((row) => row['id'] === ids[1])?.['sealed_data']]);
    for (const format of [2, 1]) {
      await fixture.sql('UPDATE tenant_key SET row_format = $1', [format]);
      await using restarted = await fixture.anotherVault();
      const failure = await failureOf(restarted.gateway.use(owner, [ids[1] ?? '']));
      expect(failure.code).to.equal('integrity_violation');
    }
  });
});
