import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createLogger } from '@glovebox/platform/telemetry/logger';
import { writePack } from '@glovebox/user-packages/pack';
import { expect } from 'chai';

import { prepareLibrary } from '../../src/node16/library/prepare-library.ts';
import { preparePackages } from '../../src/node16/library/prepare-packages.ts';
import type { CodeRun } from '../../src/scheduling/tenant.ts';
import { WorkerPool } from '../../src/scheduling/worker-pool.ts';
import type { Outcome } from '../../src/worker-protocol/outcome.ts';
import { until } from '../until.ts';
import { limits } from '../worker-limits.ts';

describe('a worker process', () => {
  let folder: string;
  let libraryFile: string;
  let pool: WorkerPool;
  before(async () => {
    // Only the user that starts the process may enter.
    folder = await mkdtemp(path.join(tmpdir(), 'packages-'));
    libraryFile = path.join(folder, 'library.json');
    const packagesFile = path.join(folder, 'packages.pack');
    await copyFile(await prepareLibrary(), libraryFile);
    await copyFile(await preparePackages(), packagesFile);
    pool = new WorkerPool({ ...options, worker: { ...options.worker, libraryFile, packagesFile } });
    await until('a worker is ready', async () => pool.isReady);
  });
  after(async () => {
    await pool[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('waits for packages that are being bundled', async () => {
    const packagesFile = path.join(folder, 'late.pack');
    await writeFile(packagesFile, '');
    await using early = new WorkerPool({
      ...options,
      worker: { ...options.worker, packagesFile, libraryFile },
    });
    const waited = early.run(codeRun(`module.exports = () => require('p-limit').name;`));
    await until('it waits', async () => early.counts.serving === 1);
    await writePack(packagesFile, {
      names: new Map([['p-limit', 'p-limit']]),
      texts: new Map([['p-limit', `module.exports = { 'p-limit': () => function pLimit() {} }`]]),
    });
    expect(told(await waited)).to.equal('"pLimit"');
  });

  it('is replaced when the library comes late, after the run that it has', async () => {
    await using late = new WorkerPool(options);
    await until('a worker is ready', async () => late.isReady);
    const hashed = `module.exports = () => require('crypto').createHash('md5').update('').digest('hex');`;
    expect((await late.run(codeRun(hashed))).kind).to.equal('threw');
    const busy = late.run(
      codeRun('module.exports = () => { const end = Date.now() + 300; while (Date.now() < end); };'),
    );
    late.renew({ libraryFile });
    expect(told(await late.run(codeRun(hashed)))).to.equal('"d41d8cd98f00b204e9800998ecf8427e"');
    expect((await busy).kind).to.equal('returned');
  });

  it('opens the packages at its start and reads them later, even after the file is removed', async () => {
    await rm(path.join(folder, 'packages.pack'));
    const code = `module.exports = () => [require('lodash').chunk([1, 2, 3], 2), require('uuid').NIL];`;
    expect(told(await pool.run(codeRun(code)))).to.equal(
      '[[[1,2],[3]],"00000000-0000-0000-0000-000000000000"]',
    );
  });
});

const codeRun = (code: string): CodeRun => ({
  tenantId: 'tenant',
  correlationId: 'correlation',
  code,
  argument: Buffer.from('{}'),
  lifetime: { deadline: Date.now() + 20_000, cancelled: false, signal: new AbortController().signal },
});

const told = (outcome: Outcome) => (outcome.kind === 'returned' ? outcome.result.toString() : outcome);

const options: ConstructorParameters<typeof WorkerPool>[0] = {
  size: 1,
  wallMs: 20_000,
  runsPerTenant: 10,
  queuedBytes: 1000,
  logger: createLogger({ service: 'reactor-runner', level: 'silent' }),
  answerBtRequest: () => Promise.resolve(Buffer.alloc(0)),
  onOutcome: () => undefined,
  onAgain: () => undefined,
  worker: { ...limits, memoryMb: 128, cpuMs: 20_000 },
};
