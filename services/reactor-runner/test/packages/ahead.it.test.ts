import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { prepareLibrary } from '../../src/node16/library/prepare-library.ts';
import { preparePackages } from '../../src/node16/library/prepare-packages.ts';

const source = (path: string) => import.meta.resolve(`../../src/${path}.ts`);

/**
 * What code returns in three isolates, one after the other, that a worker has made ready ahead. Runs where workers do:
 * isolates want a process of their own kind (worker-process/spawn-worker.ts).
 */
async function resultsOf(code: string, packages: readonly string[], memoryMb = 128): Promise<unknown[]> {
  const script = `
    import { Library } from '${source('sandbox/isolated-vm/library')}';
    import { UserIsolate } from '${source('sandbox/isolated-vm/user-isolate')}';
    import { Watchdog } from '${source('sandbox/isolated-vm/watchdog')}';
    import { SpareIsolate } from '${source('sandbox/isolated-vm/spare-isolate')}';
    const library = new Library(...${JSON.stringify([await prepareLibrary(), await preparePackages()])});
    const limits = { cpuMs: 20_000, memoryMb: ${memoryMb}, resultLength: 1e6, logLength: 100, logLines: 100, btRequestsAtOnce: 1, btRequestsPerCall: 1, btRequestBytes: 1 };
    const watchdog = new Watchdog();
    for (let version = 1; version <= 3; version += 1) {
      const create = () => new UserIsolate(limits, library, watchdog);
      const spare = new SpareIsolate({ create, packages: () => ${JSON.stringify(packages)}, isQuiet: () => true, beforehand() {} });
      // Packages are tried one at a time.
      for (let tried = 1; tried < ${packages.length}; tried += 1) {
        spare.take().dispose();
        spare.prepare();
      }
      const isolate = spare.take();
      const failure = isolate.load(${JSON.stringify(code)}, 10_000);
      if (failure !== undefined) console.log(JSON.stringify(failure));
      else for (const run of [1, 2]) console.log(isolate.start('{}', 10_000).result.toString());
    }
    process.kill(process.pid, 'SIGKILL');`;
  const flags = ['--no-node-snapshot', '--js-base-64', '--conditions=source', '--input-type=module'];
  const [ended] = await Promise.allSettled([
    promisify(execFile)(process.execPath, [...flags, '-e', script], { cwd: import.meta.dirname }),
  ]);
  const { stdout = '' } = ((ended as PromiseRejectedResult).reason ?? {}) as { stdout?: string };
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('packages that a worker has evaluated ahead', () => {
  it('are as new for each version of the code, and the same within it', async () => {
    const code = `
      const [lodash, { defaults }] = [require('lodash'), require('axios')];
      const before = [lodash.seen ?? 0, defaults.seen ?? 0, typeof globalThis._];
      module.exports = () => {
        lodash.seen = defaults.seen = (require('lodash').seen ?? 0) + 1;
        return [...before, lodash.seen];
      };`;
    expect(await resultsOf(code, ['lodash', 'axios'])).to.deep.equal(
      [1, 2, 1, 2, 1, 2].map((run) => [0, 0, 'undefined', run]),
    );
  });

  it('are left out when they change what the language or its globals are', async () => {
    const code = `
      const members = (object) => Reflect.ownKeys(object).map((key) => typeof key + String(key));
      const seen = [Object, Array, String, Promise, Symbol, Reflect, Math].flatMap((one) =>
        [one, one.prototype ?? {}].map((object) => members(object).join()));
      module.exports = () => [members(globalThis).join(), ...seen];`;
    const fresh = await resultsOf(code, []);
    expect(fresh[0]).to.be.an('array');
    expect(await resultsOf(code, ['exceljs', 'pdf-lib', 'lodash'])).to.deep.equal(fresh);
  });

  it('leave to code that requires none of them the memory that it has without them', async () => {
    const code = `
      const kept = [];
      module.exports = () => {
        for (let at = kept.length; at < 48; at += 1) kept.push(new Array(2 ** 17).fill(at));
        return kept.length;
      };`;
    const large = ['lodash', 'twilio', 'node-forge'];
    expect(await resultsOf(code, large, 64)).to.deep.equal([48, 48, 48, 48, 48, 48]);
  });

  it('are left out where they have no room', async () => {
    const code = `module.exports = () => require('crypto').createHash('sha256').update('x').digest('hex').length;`;
    const results = await resultsOf(code, ['aws-sdk', 'twilio', 'exceljs'], 24);
    expect(results).to.deep.equal([64, 64, 64, 64, 64, 64]);
  });
});
