import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRedis } from '@glovebox/platform/db/redis';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';
import { redisNames } from '@glovebox/published/keys';
import { openPublishedRecords } from '@glovebox/published/published-records';

import { until } from '../../harness/until.ts';
import type { Random } from '../report/random.ts';
import type { Tally } from '../report/tally.ts';
import type { TamperStage } from './stage.ts';

/** Changes the files from which the gateway would start while Redis is away, and exchanges them. */
export async function tamperWithSnapshots(
  stage: TamperStage,
  tally: Tally,
  random: Random,
  share: number,
): Promise<void> {
  const { management_api_key: key, tenant_id: tenantId } = stage.system.dev;
  const hash = createHash('sha256').update(key).digest('hex');
  const names = redisNames(stage.redisPrefix);
  const nameOf = (record: string) => createHash('sha256').update(record).digest('hex');
  const pathOf = (record: string) => join(nameOf(record).slice(0, 2), nameOf(record).slice(2));
  const files = {
    application: pathOf(names.record(`application:${hash}`)),
    tenant: pathOf(names.record(`tenant:${tenantId}`)),
  };
  const source = join(stage.system.stateDir, 'snapshots', 'proxy-gateway');
  await until('the snapshot holds what is asked for', async () => {
    const there: string[] = await readdir(source, { recursive: true }).catch(() => []);
    return ['marker', files.application, files.tenant].every((file) => there.includes(file));
  });
  const folder = await mkdtemp(join(tmpdir(), 'glovebox-snapshot-'));
  try {
    await cp(source, folder, { recursive: true });
    const right = await coldAnswer(stage, folder, hash, tenantId);
    if (right.includes('unavailable')) throw new Error(`the snapshot is not readable as it is: ${right}`);
    const judge = async (target: string, what: string) => {
      const answer = await coldAnswer(stage, folder, hash, tenantId);
      const rights = right.split('\n');
      // What authenticates is answered, the rest not at all.
      const isFine = answer.split('\n').every((part, at) => part === rights[at] || part === 'unavailable');
      const outcome = answer.includes('unavailable') ? 'not used' : 'the very same answer';
      tally.note(target, isFine ? outcome : 'another answer', isFine ? undefined : `${what}: ${answer}`);
    };
    for (const name of ['marker', files.application, files.tenant]) {
      const file = join(folder, name);
      const content = await readFile(file);
      for (let at = 0; at < content.length; at += 1) {
        if (random.next() >= share) continue;
        const changed = Buffer.from(content);
        changed[at]! ^= 1 << random.below(8);
        await writeFile(file, changed);
        await judge('a byte of a snapshot', `${name === 'marker' ? name : 'a record'}, byte ${at}`);
      }
      await writeFile(file, content);
    }
    const [one, two] = [join(folder, files.application), join(folder, files.tenant)];
    const contents = [await readFile(one), await readFile(two)] as const;
    await writeFile(one, contents[1]);
    await writeFile(two, contents[0]);
    await judge('files of a snapshot exchanged', 'application and tenant');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const logger = createLogger({ service: 'tamper', level: 'silent' });

/** What a process answers that starts from the snapshot while Redis is away. */
async function coldAnswer(
  { publicKeys, redisPrefix }: TamperStage,
  folder: string,
  keyHash: string,
  tenantId: string,
): Promise<string> {
  const redis = () =>
    createRedis({
      url: new Secret('redis://127.0.0.1:1'),
      connectionName: 'tamper',
      commandTimeoutMs: 50,
      onError: () => undefined,
    });
  await using records = openPublishedRecords({
    redis: redis(),
    subscriber: redis(),
    names: redisNames(redisPrefix),
    cache: { maxEntries: 10, freshMs: 3_600_000, maxStaleMs: 3_600_000, retryAfterMs: 10 },
    snapshotFolder: folder,
    logger,
    metrics: createMetrics('tamper'),
    publicKeys: publicKeys,
  });
  await records.attempted();
  const answers = [
    async () => records.applicationByKeyHash(keyHash),
    async () => records.tenantById(tenantId),
  ].map((ask) =>
    ask().then(
      (found) => JSON.stringify(found) ?? 'absent',
      () => 'unavailable',
    ),
  );
  return (await Promise.all(answers)).join('\n');
}
