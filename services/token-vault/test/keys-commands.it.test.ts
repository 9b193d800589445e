import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';

import { createPostgres } from '@glovebox/platform/db/postgres';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { Keyring } from '../src/crypto/keyring.ts';
import { openLocalFileKeyProvider } from '../src/crypto/local-file-key-provider.ts';
import { resealTokens } from '../src/keys/rotation/reseal-tokens.ts';
import { createDekStore } from '../src/store/tenant-keys.ts';
import { type Ended, runCli, spawnCli } from './harness/cli.ts';
import { Fixture, card } from './harness/fixture.ts';
import { withClient } from './harness/servers.ts';

interface Inventory {
  readonly key_encryption_keys: { id: string; current: boolean; held_by?: string; wraps: number }[];
  readonly data_keys: { tenant_id: string; version: number; current: boolean; tokens: number }[];
  readonly index_keys: { tenant_id: string; version: number; key_encryption_key: string }[];
  readonly ciphers: { algorithm: string }[];
}

const noClientKeys = { client_keys_resealed: 0, client_keys_unreadable: 0 };

describe('the commands for keys', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await Fixture.start();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const run = async (...args: string[]): Promise<Ended> => {
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    return runCli(args, { DATABASE_URL, KEY_FILE });
  };
  const list = async (): Promise<Inventory> => {
    const { code, stdout, stderr } = await run('keys', 'list');
    expect([code, stderr]).to.deep.equal([0, '']);
    return JSON.parse(stdout) as Inventory;
  };
  const tokensByVersion = async () =>
    (await list()).data_keys
      .filter(({ tenant_id }) => tenant_id === fixture.tenantId)
      .map(({ version, tokens }) => [version, tokens]);
  const tokens = async (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => fixture.token(`value ${index}`)));
  const expectValues = async (ids: readonly string[]) => {
    for (let start = 0; start < ids.length; start += 50) {
      const part = ids.slice(start, start + 50);
      const values = await fixture.gateway.use(fixture.owner, part);
      expect(values).to.deep.equal(part.map((_, index) => `value ${start + index}`));
    }
  };
  const addKeyEncryptionKey = async (): Promise<{ old: string; added: string }> => {
    const path = fixture.ground.env['KEY_FILE'] as string;
    const file = JSON.parse(await readFile(path, 'utf8')) as { current: string; keys: object };
    const keys = { ...file.keys, 'local-new': randomBytes(32).toString('base64') };
    await writeFile(path, JSON.stringify({ ...file, current: 'local-new', keys }));
    return { old: file.current, added: 'local-new' };
  };

  it('list which key protects what, and no key', async () => {
    await tokens(2);
    const { key_encryption_keys, data_keys, index_keys, ciphers } = await list();
    expect(key_encryption_keys).to.have.length(1);
    expect(key_encryption_keys[0]).to.include({ current: true, held_by: 'file', wraps: 2 });
    expect(data_keys).to.have.length(1);
    expect(data_keys[0]).to.include({
      tenant_id: fixture.tenantId,
      version: 1,
      current: true,
      tokens: 2,
      client_keys: 0,
    });
    expect(data_keys[0]).to.include.keys('created_at', 'age_days', 'key_encryption_key');
    expect(index_keys).to.have.length(1);
    expect(index_keys[0]).not.to.have.property('tokens');
    expect(ciphers.map(({ algorithm }) => algorithm)).to.include('AES-256-GCM');
    const { stdout } = await run('keys', 'list');
    const file = JSON.parse(await readFile(fixture.ground.env['KEY_FILE'] as string, 'utf8')) as {
      keys: Record<string, string>;
    };
    const [wrapped] = await fixture.sql<{ wrapped: Buffer }>('SELECT wrapped FROM tenant_key');
    for (const secret of [...Object.values(file.keys), wrapped?.wrapped.toString('base64') ?? '']) {
      expect(stdout).not.to.include(secret);
    }
  });

  it('rotate every tenant, or one: all tokens are under the new keys, and open in running vaults', async () => {
    const ids = await tokens(5);
    await expectValues(ids);
    const foreigner = await fixture.foreigner();
    await fixture.gateway.create(foreigner, { type: 'token', data: 'x' });
    const all = await run('keys', 'rotate', '--no-wait');
    expect([all.code, JSON.parse(all.stdout)]).to.deep.equal([
      0,
      { resumed: false, tenants: 2, tokens_resealed: 6, tokens_unreadable: 0, ...noClientKeys },
    ]);
    expect(await tokensByVersion()).to.deep.equal([
      [1, 0],
      [2, 5],
    ]);
    await expectValues(ids);
    const one = await run('keys', 'rotate', '--tenant', fixture.tenantId, '--no-wait');
    expect(JSON.parse(one.stdout)).to.include({ tenants: 1, tokens_resealed: 5 });
    const versions = (await list()).data_keys.filter(({ current }) => current);
    expect(versions.map(({ version }) => version)).to.have.members([3, 2]);
    await expectValues(ids);
    await using another = await fixture.anotherVault();
    expect(await another.gateway.use(fixture.owner, [ids[0] as string])).to.deep.equal(['value 0']);
  });

  it('rotate the private keys of clients too, and one that does not open stays as it is', async () => {
    const { tenantId } = fixture;
    const permissions = ['keys:create', 'keys:read'];
    const manager = await fixture.publisher.application({ tenantId, type: 'management', permissions });
    const [opens, broken] = [
      await fixture.gateway.createKey(manager),
      await fixture.gateway.createKey(manager),
    ];
    await fixture.sql(`UPDATE client_key SET sealed_private_key = 'x' WHERE id = $1`, [broken['id']]);
    const { code, stdout } = await run('keys', 'rotate', '--no-wait');
    expect([code, JSON.parse(stdout)]).to.deep.equal([
      65,
      {
        ...{ resumed: false, tenants: 1, tokens_resealed: 0, tokens_unreadable: 0 },
        ...{ client_keys_resealed: 1, client_keys_unreadable: 1 },
      },
    ]);
    const rows = await fixture.sql<{ id: string; version: string }>(
      `SELECT id, envelope_key_version(sealed_private_key) AS version FROM client_key ORDER BY version`,
    );
    expect(rows).to.deep.equal([
      { id: opens['id'], version: '2' },
      { id: broken['id'], version: null },
    ]);
  });

  it('rotate: killed in the middle, the next call goes on with the same keys', async () => {
    const ids = await tokens(150);
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    await withClient(fixture.ground.databaseUrl, async (client) => {
      await client.query('BEGIN');
      // More than one batch comes before it.
      await client.query('SELECT 1 FROM token WHERE id = (SELECT max(id) FROM token) FOR UPDATE');
      const child = spawnCli(['keys', 'rotate'], { DATABASE_URL, KEY_FILE });
      await once(child.stderr as NodeJS.ReadableStream, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    expect(await tokensByVersion()).to.deep.equal([
      [1, 50],
      [2, 100],
    ]);
    await expectValues(ids);
    const { code, stdout } = await run('keys', 'rotate', '--no-wait');
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.include({ resumed: true, tenants: 1, tokens_resealed: 50 });
    expect(await tokensByVersion()).to.deep.equal([
      [1, 0],
      [2, 150],
    ]);
    await expectValues(ids);
    expect(await fixture.sql('SELECT * FROM key_rotation')).to.deep.equal([]);
  });

  it('rotate beside changes by vaults without losing one, and what they sealed under the old key is found', async () => {
    const ids = await tokens(60);
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    await using postgres = createPostgres({
      url: new Secret(DATABASE_URL),
      maxConnections: 2,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
    const provider = await openLocalFileKeyProvider(KEY_FILE);
    const keyring = new Keyring({ provider, store: createDekStore(postgres) });
    const ofTenant = postgres.forTenant(fixture.tenantId);
    const rotation = { tenantId: fixture.tenantId, version: await keyring.rotate(fixture.tenantId) };
    const last = new Map<string, string>();
    const end = new AbortController();
    const changes = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (let round = 0; !end.signal.aborted; round += 1) {
          const id = ids[(round * 3 + writer) % ids.length] as string;
          const data = `changed ${writer} ${round}`;
          await fixture.gateway.update(fixture.owner, id, { data });
          last.set(id, data);
        }
      }),
    );
    for (let round = 0; round < 5; round += 1)
      await resealTokens({ postgres: ofTenant, keyring }, rotation, () => undefined);
    end.abort();
    await changes;
    // The vault keeps in mind for a minute that the first key is current.
    expect(Object.fromEntries(await tokensByVersion())[1]).to.be.above(0);
    await resealTokens({ postgres: ofTenant, keyring }, rotation, () => undefined);
    expect(await tokensByVersion()).to.deep.equal([
      [1, 0],
      [2, 60],
    ]);
    expect(last.size).to.be.above(10);
    for (const [id, data] of last) {
      expect(await fixture.gateway.use(fixture.owner, [id])).to.deep.equal([data]);
    }
  });

  it('rotate: a token that does not open stays as it is, and the exit code is 65', async () => {
    const [id, other] = await tokens(2);
    await fixture.sql(
      'UPDATE token SET sealed_data = (SELECT sealed_data FROM token WHERE id = $2) WHERE id = $1',
      [id, other],
    );
    const { code, stdout, stderr } = await run('keys', 'rotate', '--no-wait');
    expect(code, stderr).to.equal(65);
    expect(JSON.parse(stdout)).to.include({ tokens_resealed: 1, tokens_unreadable: 1 });
  });

  it('rotate: one at a time, and no tenant that there is not', async () => {
    await fixture.token(card);
    const stranger = await run('keys', 'rotate', '--tenant', '5d0c3c1a-9f0f-4b41-9c38-5d2b0a3a6f11');
    expect(stranger).to.deep.equal({
      code: 65,
      stdout: '',
      stderr: 'Tenant 5d0c3c1a-9f0f-4b41-9c38-5d2b0a3a6f11 has no data key.\n',
    });
    const { DATABASE_URL = '', KEY_FILE = '' } = fixture.ground.env;
    const waiting = spawnCli(['keys', 'rotate'], { DATABASE_URL, KEY_FILE });
    for await (const chunk of waiting.stderr as NodeJS.ReadableStream) {
      if (String(chunk).includes('waiting')) break;
    }
    const second = await run('keys', 'rotate');
    expect([second.code, second.stderr]).to.deep.equal([75, 'Keys are being rotated by another process.\n']);
    waiting.kill('SIGKILL');
    await once(waiting, 'exit');
    // As if the vaults had had their time.
    await fixture.sql(`UPDATE tenant_key SET created_at = now() - interval '1 hour'`);
    const id = await fixture.token('sealed under the key that the vault has in mind');
    expect(await tokensByVersion()).to.deep.equal([
      [1, 1],
      [2, 1],
    ]);
    const third = await run('keys', 'rotate');
    expect([third.code, JSON.parse(third.stdout)]).to.deep.equal([
      0,
      { resumed: true, tenants: 1, tokens_resealed: 1, tokens_unreadable: 0, ...noClientKeys },
    ]);
    expect(await fixture.sql('SELECT * FROM key_rotation')).to.deep.equal([]);
    expect(await fixture.gateway.use(fixture.owner, [id])).to.deep.equal([
      'sealed under the key that the vault has in mind',
    ]);
  });

  it('rewrap: every key is under the current key-encryption key, and the old one may go', async () => {
    const ids = await tokens(3);
    const { old, added } = await addKeyEncryptionKey();
    const before = await list();
    expect(before.key_encryption_keys).to.deep.equal([
      { id: old, current: false, held_by: 'file', wraps: 2 },
      { id: added, current: true, held_by: 'file', wraps: 0 },
    ]);
    const { code, stdout } = await run('keys', 'rewrap');
    expect([code, JSON.parse(stdout)]).to.deep.equal([0, { key_encryption_key: added, rewrapped: 2 }]);
    expect(JSON.parse((await run('keys', 'rewrap')).stdout)).to.include({ rewrapped: 0 });
    const path = fixture.ground.env['KEY_FILE'] as string;
    const file = JSON.parse(await readFile(path, 'utf8')) as { keys: Record<string, string> };
    await writeFile(path, JSON.stringify({ ...file, keys: { [added]: file.keys[added] } }));
    await using another = await fixture.anotherVault();
    expect(await another.gateway.use(fixture.owner, [ids[1] as string])).to.deep.equal(['value 1']);
    await expectValues(ids);
  });

  it('say how they are used, and what is wrong with the configuration', async () => {
    const unknown = await run('keys', 'burn');
    expect([unknown.code, unknown.stdout]).to.deep.equal([64, '']);
    expect(unknown.stderr)
      .to.include('usage: keys list')
      .and.to.include('keys rotate [--tenant ID] [--no-wait]');
    expect((await run('keys', 'rotate', '--tenant', 'x')).code).to.equal(64);
    const help = await run('keys', 'rotate', '--help');
    expect([help.code, help.stderr]).to.deep.equal([0, '']);
    const empty = await runCli(['keys', 'list'], {});
    expect(empty.code).to.equal(78);
    expect(empty.stderr)
      .to.include('DATABASE_URL')
      .and.to.include('KEY_FILE')
      .and.to.include('docs/settings.md');
    const check = await runCli(['config', 'check'], { GRPC_PORT: 'x' });
    expect(check.code).to.equal(78);
    for (const name of ['GRPC_PORT', 'REDIS_URL', 'PEERS', 'KEY_FILE']) expect(check.stderr).to.include(name);
    const good = await runCli(['config', 'check'], fixture.ground.env);
    expect([good.code, good.stdout]).to.deep.equal([0, '{"service":"token-vault","problems":[]}\n']);
    const noFile = await runCli(['config', 'check'], { ...fixture.ground.env, KEY_FILE: '/nowhere' });
    expect([
      noFile.code,
      noFile.stderr.includes('KEY_FILE: key file /nowhere: does not exist'),
    ]).to.deep.equal([78, true]);
  });
});
