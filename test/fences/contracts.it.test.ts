import { execFile } from 'node:child_process';
import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

/** What `npm run lint` compares: the contracts between the services with those of the version before. */
function check(args: readonly string[]): Promise<{ readonly failed: boolean; readonly output: string }> {
  const bin = join(checkout, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['protos/check-breaking.ts', ...args],
      { cwd: checkout, env },
      (error, ...said) => resolve({ failed: error !== null, output: said.join('') }),
    );
  });
}

describe('the contracts between the services', function () {
  this.timeout(60_000);

  it('let the version before talk to this one', async function () {
    const { failed, output } = await check([]);
    if (output.includes('no history')) {
      process.stderr.write(`the contracts are not compared: ${output}`);
      this.skip();
    }
    expect(failed, output).to.equal(false);
  });

  it('are not changed where the version before would misread them', async function () {
    await using copy = await mkdtempDisposable(join(tmpdir(), 'glovebox-contracts-'));
    await cp(join(checkout, 'protos'), copy.path, { recursive: true });
    const file = join(copy.path, 'vault/v1/vault.proto');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^(\s+bytes \w+ = )(\d+);$/m, '$1999;'));
    const { failed, output } = await check([copy.path]);
    if (output.includes('no history')) this.skip();
    expect(failed).to.equal(true);
    expect(output).to.match(/vault\.proto:\d+:\d+:.*[Ff]ield/);
  });
});
