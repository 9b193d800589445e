import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { type System, sharedSystem } from '../harness/system.ts';
import { folderOf } from '../harness/user-cli.ts';

/** Makes a token and reads it, in a program that knows nothing but the package. */
const program = `const glovebox = await new Glovebox().init(process.env.KEY, { apiBaseUrl: process.env.URL });
const { id } = await glovebox.tokens.create({ type: 'token', data: 'kept' });
const error = await glovebox.tokens.retrieve(id + '-none').catch((thrown) => thrown);
console.log(JSON.stringify([(await glovebox.tokens.retrieve(id)).id === id, error instanceof GloveboxApiError, error.code]));`;

const files = {
  'package.json': '{ "private": true }',
  'esm.mjs': `import { Glovebox, GloveboxApiError } from '@glovebox/sdk';\n${program}`,
  'cjs.cjs': `const { Glovebox, GloveboxApiError } = require('@glovebox/sdk');\n(async () => {\n${program}\n})();`,
  'browser.mjs': `import { Glovebox, GloveboxApiError } from '@glovebox/sdk/browser';\n${program}`,
  'types.mts': `import { Glovebox } from '@glovebox/sdk';
export const id: Promise<string> = new Glovebox().init('key').then(async (glovebox) => (await glovebox.tokens.retrieve('a')).id);
// @ts-expect-error: a token has no such member
export const none = async (glovebox: Glovebox) => (await glovebox.tokens.retrieve('a')).nothing;
`,
  'types.cts': `import sdk = require('@glovebox/sdk');
export const made: sdk.Glovebox = new sdk.Glovebox();
`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      strict: true,
      noEmit: true,
      types: [],
    },
    files: ['types.mts', 'types.cts'],
  }),
};

/** What users get from the registry, and not the sources beside it. */
describe('the client, installed', () => {
  let system: System;
  let folder: ReturnType<typeof folderOf>;
  before(async function () {
    this.timeout(180_000);
    system = await sharedSystem();
    folder = folderOf(files);
    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', args, {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, npm_config_cache: join(folder.path, '.npm') },
      });
    const packed = npm(
      ['pack', '--ignore-scripts=false', '--silent', '--pack-destination', folder.path],
      join(checkout, 'packages/sdk'),
    );
    npm(['install', '--offline', '--no-audit', packed.trim().split('\n').at(-1) ?? ''], folder.path);
  });
  after(() => folder[Symbol.dispose]());

  it('is a package without dependencies, sources or tests', () => {
    const installed = join(folder.path, 'node_modules');
    expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).to.deep.equal(['@glovebox']);
    const names = readdirSync(join(installed, '@glovebox/sdk'), { recursive: true }).map(String);
    expect(names.filter((name) => /test|(?<!\.d)\.ts$/.test(name))).to.deep.equal([]);
  });

  for (const file of ['esm.mjs', 'cjs.cjs', 'browser.mjs']) {
    it(`serves a program in one of its forms: ${file}`, () => {
      const env = {
        PATH: process.env['PATH'],
        KEY: system.dev.private_api_key,
        URL: system.dev.base_url.replace('127.0.0.1', 'localhost'),
      };
      const printed = execFileSync(process.execPath, [file], { cwd: folder.path, env, encoding: 'utf8' });
      expect(JSON.parse(printed)).to.deep.equal([true, true, 'not_found']);
    });
  }

  it('has types for modules and for CommonJS', () => {
    execFileSync(join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder.path, stdio: 'pipe' });
    const wrong = files['types.mts'].replace('// @ts-expect-error: a token has no such member\n', '');
    writeFileSync(join(folder.path, 'types.mts'), wrong);
    expect(() =>
      execFileSync(join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder.path, stdio: 'pipe' }),
    ).to.throw();
  });

  it('is one file for browsers, which imports nothing', () => {
    const text = readFileSync(
      join(folder.path, 'node_modules/@glovebox/sdk/dist/browser/glovebox.js'),
      'utf8',
    );
    expect(text).not.to.match(/\bimport\b|\brequire\(/);
  });
});
