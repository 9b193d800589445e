import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

const script = fileURLToPath(new URL('scripts/watched-stays.ts', import.meta.url));
const nodeFlags = ['--no-node-snapshot', '--js-base-64', '--conditions=source'];

interface Seen {
  readonly endings: Readonly<Record<string, number>>;
  readonly grownMb: number;
}

describe('the watchdog of a worker', function () {
  this.timeout(120_000);
  let seen: Seen;
  before(async () => {
    // It ends itself by SIGKILL, as workers do.
    const run = promisify(execFile)(process.execPath, [...nodeFlags, script], { timeout: 110_000 });
    const { signal, stdout, stderr } = (await run.catch((error: unknown) => error)) as Record<string, string>;
    expect({ signal, stderr }).to.deep.equal({ signal: 'SIGKILL', stderr: '' });
    seen = JSON.parse(stdout ?? '') as Seen;
  });

  it('ends what does not end, whether it watched or slept, and nothing else', () => {
    expect(seen.endings).to.deep.equal({ timeout: 60, returned: 60 });
  });

  it('keeps nothing of calls that have ended before their deadline', () => {
    expect(seen.grownMb).to.be.lessThan(30);
  });
});
