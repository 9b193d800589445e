import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { sharedSystem } from '../harness/system.ts';

describe('the README of the client', () => {
  it('has an example that works as it stands there', async () => {
    const { dev } = await sharedSystem();
    const readme = readFileSync(join(checkout, 'packages/sdk/README.md'), 'utf8');
    const example = /^```js\n([^]*?)^```$/m.exec(readme)?.[1] ?? '';
    const env = { GLOVEBOX_URL: dev.base_url, GLOVEBOX_API_KEY: dev.private_api_key };
    const command = ['--conditions=source', '--input-type=module', '-e', example];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: checkout, env });
    expect(stdout).to.match(/^[\da-f-]{36} \{\s+number: 'XXXXXXXXXXXX4242',/);
    expect(stdout).to.match(/404 Not Found\n$/);
  });
});
