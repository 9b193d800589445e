import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

const script = fileURLToPath(new URL('scripts/fuzz-bridge.ts', import.meta.url));

describe('the operations of the host', function () {
  this.timeout(120_000);

  it('answer whatever they are called with by plain data, and crash nothing', async () => {
    const seeds = [1, Date.now() % 1e9].map(String);
    const runs = seeds.map((seed) =>
      promisify(execFile)(process.execPath, ['--conditions=source', script, '20000', seed]).catch(
        (error: { stdout: string; stderr: string }) => error,
      ),
    );
    for (const [n, { stdout, stderr }] of (await Promise.all(runs)).entries()) {
      expect(stdout, `seed ${seeds[n]}`).to.equal('called 20000\n');
      expect(stderr, `seed ${seeds[n]}`).to.equal('');
    }
  });
});
