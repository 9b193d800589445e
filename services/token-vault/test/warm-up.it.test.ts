import { once } from 'node:events';

import { createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { Publisher } from './harness/published.ts';
import { sharedRedis, withClient } from './harness/servers.ts';
import { type Ground, type TestVault, prepareGround, startVault } from './harness/vault.ts';

/** On a busy machine. */
const longest = 110_000;

describe('a vault that warms up', () => {
  let publisher: Publisher;
  let ground: Ground;
  before(async () => {
    publisher = await Publisher.start();
    ground = await prepareGround(publisher.prefix);
  });
  after(async () => {
    await ground[Symbol.asyncDispose]();
    await publisher[Symbol.asyncDispose]();
  });

  const start = (warmUpMs: number) => startVault(ground, { WARM_UP_MS: String(warmUpMs) });
  const get = async ({ vault }: TestVault, path: string) =>
    (await fetch(`http://127.0.0.1:${vault.metricsPort}${path}`)).text();
  const isWarmingUp = async (vault: TestVault) =>
    'warm_up' in (JSON.parse(await get(vault, '/readyz')) as { reasons: object }).reasons;
  const says = ({ logged }: TestVault, msg: string) => logged.some((line) => line.includes(`"msg":"${msg}"`));

  /** The rows of each table, and the names in Redis. */
  const kept = async () => {
    const rows = await withClient(ground.databaseUrl, async (client) => {
      const counted = await client.query<{ name: string; count: number }>(
        `SELECT relname AS name,
                (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %s', oid::regclass), false, true, '')))[1]::text::integer AS count
           FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
      );
      return counted.rows;
    });
    const options = { connectionName: 'test', commandTimeoutMs: 5000, onError: () => undefined };
    const redis = createRedis({ url: new Secret((await sharedRedis()).url), ...options });
    if (redis.status !== 'ready') await once(redis, 'ready');
    const names = await redis.keys(`${publisher.prefix}*`);
    redis.disconnect();
    return { rows, names };
  };

  it('is ready once it has ended, and leaves no trace of it', async () => {
    const before = await kept();
    expect(before.rows.map(({ name }) => name)).to.include.members(['audit', 'tenant_key', 'token']);
    await using warmed = await start(longest);
    expect(await isWarmingUp(warmed)).to.equal(true);
    await until('it has warmed up', async () => !(await isWarmingUp(warmed)), longest);
    await until('it says so', () => says(warmed, 'warmed up'));
    expect(await kept()).to.deep.equal(before);
    const metrics = await get(warmed, '/metrics');
    expect(metrics).to.match(/^glovebox_vault_frames_total\{.*\} 0$/m);
    expect(metrics).not.to.match(/^glovebox_vault_\w+_(?:total|count)(?:\{.*\})? [1-9]/m);
  }).timeout(longest);

  it('is ready after its time, however far it is', async () => {
    await using warmed = await start(1);
    await until('it has given up', async () => !(await isWarmingUp(warmed)), longest);
    await until('it says so', () => says(warmed, 'the warm-up ran out of time'));
  }).timeout(longest);

  it('ends the warm-up when the vault is to end', async () => {
    const warmed = await start(longest);
    expect(await isWarmingUp(warmed)).to.equal(true);
    await warmed[Symbol.asyncDispose]();
    expect(says(warmed, 'warmed up')).to.equal(false);
  }).timeout(longest);
});
