import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';

describe('the README of the client', () => {
  it('has an example that works as it is there', async () => {
    const api = apiOf(await sharedSystem());
    const permissions = ['token:create', 'token:read'];
    const { key } = await api.application({ name: 'README', type: 'private', permissions });
    const readme = readFileSync(join(checkout, 'packages/sdk/README.md'), 'utf8');
    const example = /^```js\n([^]*?)^```$/m.exec(readme)?.[1] ?? '';
    const env = { GLOVEBOX_URL: api.base, GLOVEBOX_API_KEY: key as string };
    const command = ['--conditions=source', '--input-type=module', '-e', example];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: checkout, env });
    expect(stdout, stdout).to.match(/^[\da-f-]{36} \{\s+number: 'XXXXXXXXXXXX4242',/);
    expect(stdout).to.match(/404 Not Found\n$/);
  });
});
