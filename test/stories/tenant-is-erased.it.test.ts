import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { readRunning } from '@glovebox/local/run-journal';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';

import { type Json, apiOf } from '../harness/api.ts';
import { compileCache } from '../harness/compile-cache.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

describe('a tenant that an operator erases', function () {
  this.timeout(120_000);
  let system: System;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const glovebox = (...args: string[]) =>
    new Promise<{ code: number; output: Json }>((resolve) => {
      const command = ['--conditions=source', 'deploy/local/src/glovebox.ts', ...args];
      const env = { ...compileCache, PATH: process.env['PATH'], GLOVEBOX_STATE_DIR: system.stateDir };
      execFile(process.execPath, command, { cwd: checkout, env }, (error, stdout) =>
        resolve({
          code: error === null ? 0 : Number(error.code),
          output: stdout === '' ? {} : (JSON.parse(stdout) as Json),
        }),
      );
    });

  it('gets no answers, is in no table but the logs and certificates, and in Redis only as the page says', async () => {
    const { output: tenant } = await glovebox('tenant', 'create', 'to be erased', '--development');
    const { tenant_id: tenantId, management_api_key: managementKey, private_api_key: key } = tenant;
    const api = apiOf(system);
    const manage = (method: string, path: string, body: object) =>
      api.send(method, path, { key: managementKey, body });
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'kept' };
    const body = { type: 'token', data: 'value of the erased', metadata: { who: 'metadata of the erased' } };
    const { json: token } = await api.send('POST', '/tokens', { key, headers, body });
    const { json: session } = await api.send('POST', '/sessions', { key: tenant.public_api_key });
    const { json: proxy } = await manage('POST', '/proxies', {
      name: 'p',
      destination_url: destination.url,
      configuration: { SECRET: 'secret of the erased' },
      require_auth: false,
    });
    const invoke = () =>
      api.send('POST', '/proxy', {
        key,
        headers: { 'SVC-PROXY-KEY': proxy.key },
        body: { v: `{{${token.id}}}` },
      });
    expect((await invoke()).status).to.equal(200);
    expect(destination.received.at(-1)?.body.toString()).to.contain('value of the erased');

    const erased = await glovebox('tenant', 'erase', tenantId);
    expect(erased.code).to.equal(0);
    const { certificate } = erased.output;
    expect(certificate).to.include({ tenant_id: tenantId });
    expect(certificate.erased_rows.vault).to.include({ tokens: 1 });
    expect(certificate.erased_rows.control).to.include({ applications: 3, proxies: 1 });
    expect((await glovebox('tenant', 'erase', tenantId)).output).to.deep.equal(erased.output);
    expect((await glovebox('tenant', 'erase', '00000000-0000-4000-8000-000000000000')).code).to.equal(65);
    const folder = await mkdtemp(join(tmpdir(), 'erased-'));
    try {
      const file = join(folder, 'certificate.json');
      const keys = join(folder, 'keys.json');
      await writeFile(file, JSON.stringify(erased.output, undefined, 2));
      await writeFile(keys, (await api.send('GET', '/.well-known/glovebox-audit-keys')).text);
      const verified = await glovebox('tenant', 'verify-erasure', file, '--keys', keys);
      expect([verified.code, verified.output.intact]).to.deep.equal([0, true]);
    } finally {
      await rm(folder, { recursive: true });
    }

    for (const refused of [
      await api.send('GET', `/tokens/${token.id}`, { key }),
      await api.send('GET', '/tenants/self', { key: managementKey }),
      await api.send('GET', `/tokens/${token.id}`, { key: session.session_key }),
    ]) {
      expect(refused.status).to.equal(401);
    }
    expect((await invoke()).status).to.be.oneOf([401, 404]);

    const running = readRunning(system.stateDir)?.system;
    if (running === undefined) throw new Error('the system is not running');
    const traces = [tenantId, token.id, proxy.id, 'metadata of the erased', 'of the erased'];
    const kept = new Set(['audit', 'logs', 'tenant_erasure']);
    for (const [database, url] of Object.entries(running.databases)) {
      const found = await tablesWith(url, traces);
      expect(
        found.filter((table) => !kept.has(table)),
        database,
      ).to.deep.equal([]);
    }
    const places = await redisKeysWith(running.redisUrl, traces);
    // Ids for an hour at most, tombstones without content, and what ends by itself: ids, hashes of keys and times.
    const short = /:(record:(tenant|proxy-id|webhooks):|former-application:|rate:)/;
    const ending = /:(invocations|key-uses|recent-counts):/;
    expect(places.filter((place) => !short.test(place) && !ending.test(place))).to.deep.equal([]);
  });
});

/** The tables of a database with a row that holds one of the texts. */
async function tablesWith(url: string, texts: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE ANY ($1) LIMIT 1`, [
      texts.map((text) => `%${text}%`),
    ]);
    if (rows.length > 0) found.push(name);
  }
  await client.end();
  return found;
}

/** The keys in Redis that hold one of the texts, in their name or their value. */
async function redisKeysWith(url: string, texts: readonly string[]): Promise<string[]> {
  const redis = new Redis(url);
  const found: string[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    const value =
      type === 'string'
        ? await redis.getBuffer(key)
        : type === 'hash'
          ? Buffer.concat(
              Object.entries(await redis.hgetallBuffer(key)).flatMap(([name, v]) => [Buffer.from(name), v]),
            )
          : type === 'zset'
            ? Buffer.concat(await redis.zrangeBuffer(key, '0', '-1'))
            : await redis.dumpBuffer(key);
    const content = `${key}\n${value?.toString('latin1') ?? ''}`;
    if (texts.some((text) => content.includes(text))) found.push(key);
  }
  redis.disconnect();
  return found;
}
