import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, send } from '../harness/api.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { type RunOptions, folderOf, runUserCli } from '../harness/user-cli.ts';

/**
 * Not sops itself, which is in no registry of this project: a program with the command line that sops 3.9 has. It opens nothing:
 * its files are JSON. It notes how it was called, and prints what it finds, or an error with the whole content.
 */
const standIn = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const [, , ...args] = process.argv;
const keys = Object.keys(process.env).filter((name) => name.startsWith('GLOVEBOX_') || name === 'SOPS_AGE_KEY_FILE');
appendFileSync(process.env.HOME + '/calls', JSON.stringify({ args, keys }) + '\\n');
const [command, flag, path, file] = args;
if (command !== 'decrypt' || flag !== '--extract' || args.length !== 4) process.exit(1);
const text = readFileSync(file, 'utf8');
const fail = (code) => {
  process.stderr.write(text);
  process.stdout.write(text);
  process.exitCode = code;
};
const { code, ...tree } = JSON.parse(text);
const parts = path.split('[').slice(1).map((part) => part.slice(0, -1)).map((part) => part.startsWith('"') ? part.slice(1, -1) : Number(part));
const found = parts.reduce((value, part) => value?.[part], tree);
if (code !== undefined) fail(code);
else if (found === undefined) fail(1);
else process.stdout.write(typeof found === 'string' ? found : JSON.stringify(found) + '\\n');
`;
const secrets = {
  api_key: 'hush-api-key',
  'odd "name"; $(touch ran)': 'hush-odd\n',
  accounts: [{ pin: 4711 }],
};

/** Values of files of sops in the folder of the command line (docs/cli.md#secrets). */
describe('references to files of sops', function () {
  // Each starts the program several times.
  this.timeout(180_000);
  let system: System;
  before(async () => {
    system = await sharedSystem();
  });

  const folderWith = (values: string, sops: object = secrets) => {
    const folder = folderOf({
      'glovebox.yaml': `version: 1
proxies:
  charge:
    destination_url: https://api.example.com
    configuration:
      API_KEY: ${values}
`,
      'secrets.json': JSON.stringify(sops),
      'bin/sops': standIn,
    });
    chmodSync(join(folder.path, 'bin/sops'), 0o755);
    return folder;
  };
  const runner = async (name: string) => {
    const { management_api_key: key } = await anotherTenant(system, name);
    const env = {
      GLOVEBOX_URL: system.dev.base_url,
      GLOVEBOX_MANAGEMENT_KEY: key,
      GLOVEBOX_API_KEY: 'not-for-sops',
      SOPS_AGE_KEY_FILE: '/keys',
    };
    const run = (folder: string, args: readonly string[], options: RunOptions = {}) =>
      runUserCli(folder, args, {
        ...options,
        env: { ...env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, ...options.env },
      });
    return { key, run };
  };

  it('become the values that sops finds: by name, by names and indexes, whatever is in a name', async () => {
    const { key, run } = await runner('sops finds');
    using folder = folderWith(`{ sops: ./secrets.json, key: api_key }
      ODD: { sops: secrets.json, key: ['odd "name"; $(touch ran)'] }
      PIN: { sops: secrets.json, key: [accounts, 0, pin] }`);
    const applied = await run(folder.path, ['apply', '--json']);
    expect(applied.code, applied.stderr).to.equal(0);
    const { data }: Json = (await send(system.dev.base_url, 'GET', '/proxies', { key })).json;
    expect(data[0].configuration).to.deep.equal({ API_KEY: 'hush-api-key', ODD: 'hush-odd', PIN: '4711' });
    const calls = readFileSync(join(folder.path, 'calls'), 'utf8').trim().split('\n');
    const file = join(folder.path, 'secrets.json');
    expect(calls.map((line) => JSON.parse(line))).to.deep.equal(
      ['["api_key"]', '["odd "name"; $(touch ran)"]', '["accounts"][0]["pin"]'].map((path) => ({
        args: ['decrypt', '--extract', path, file],
        keys: ['GLOVEBOX_URL', 'SOPS_AGE_KEY_FILE'],
      })),
    );
    expect(existsSync(join(folder.path, 'ran'))).to.equal(false);
    const again = await run(folder.path, ['diff', '--json']);
    expect([again.code, again.stdout.includes('hush'), applied.stdout.includes('hush')]).to.deep.equal([
      0,
      false,
      false,
    ]);
    writeFileSync(file, JSON.stringify({ ...secrets, api_key: 'hush-another' }));
    const drifted = await run(folder.path, ['diff']);
    expect(drifted.code, drifted.stdout).to.equal(2);
    expect(drifted.stdout).to.contain('configuration.API_KEY: (a value that is not shown)');
    expect(drifted.stdout + drifted.stderr).to.not.contain('hush');
  });

  it('that cannot be resolved end the command with the place and the reason, and show nothing that sops prints', async () => {
    const { run } = await runner('sops fails');
    const place = 'proxies.charge.configuration.API_KEY: ';
    for (const [reference, sops, reason] of [
      [
        '{ sops: secrets.json, key: none }',
        secrets,
        `sops did not decrypt secrets.json (exit code 1): there may be no ["none"] in it`,
      ],
      ['{ sops: secrets.json, key: api_key }', { ...secrets, code: 128 }, 'none of your keys opens the file'],
      ['{ sops: secrets.json, key: api_key }', { ...secrets, code: 51 }, 'was changed without sops'],
      [
        '{ sops: secrets.json, key: api_key }',
        { api_key: 'hush'.repeat(20_000) },
        'is larger than 65536 bytes',
      ],
      ['{ sops: secrets.json, key: "a[0]" }', secrets, 'a key for sops cannot have a ['],
      ['{ sops: ../secrets.json, key: api_key }', secrets, 'is not there'],
      ['{ sops: /etc/hostname, key: api_key }', secrets, 'is not a path in the folder'],
      [
        '{ sops: secrets.json, key: [] }',
        secrets,
        'must be text, {env: NAME}, {file: PATH} or {sops: PATH, key: NAME}',
      ],
      [
        '{ sops: secrets.json }',
        secrets,
        'must be text, {env: NAME}, {file: PATH} or {sops: PATH, key: NAME}',
      ],
    ] as const) {
      using folder = folderWith(reference, sops);
      const failed = await run(folder.path, ['diff']);
      expect([failed.code, failed.stdout], reference).to.deep.equal([1, '']);
      expect(failed.stderr).to.satisfy((text: string) => text.startsWith(place), failed.stderr);
      expect(failed.stderr).to.contain(reason).and.not.contain('hush');
    }
    using folder = folderWith('{ sops: secrets.json, key: api_key }');
    const missing = await run(folder.path, ['diff'], { env: { PATH: join(folder.path, 'nowhere') } });
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.contain(`${place}the program sops is not there`);
  });
});
