import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { allowList } from '@glovebox/user-packages/allow-list';
import { Pack, licencesFile } from '@glovebox/user-packages/pack';
import { expect } from 'chai';

import { preparePackages } from '../../src/node16/library/prepare-packages.ts';
import { failureOf } from '../expect-failure.ts';
import { type PackageRunner, startPackageRunner } from './package-runner.ts';

describe('packages of user code', () => {
  let packages: PackageRunner;
  before(async () => {
    packages = await startPackageRunner();
  });
  after(() => packages[Symbol.asyncDispose]());

  it('each have a test here', () => {
    const folder = new URL('.', import.meta.url);
    const tests = readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n');
    const untested = allowList.filter(
      ({ name }) => !tests.includes(`require('${name}`) && !tests.includes(`module = '${name}'`),
    );
    expect(untested.map(({ name }) => name)).to.deep.equal([]);
  });

  it('are all in the pack, with the paths below them that the list names, beside their licences', async () => {
    const file = await preparePackages();
    using pack = new Pack(file);
    expect(pack.names()).to.include.members(
      allowList.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    );
    expect(pack.names()).to.include.members(['aws-sdk/clients/s3', 'lodash/fp', 'crypto-js/sha256']);
    for (const { name } of allowList) expect(pack.read(name), name).to.be.a('string');
    const licences = readFileSync(path.join(file, '..', licencesFile), 'utf8');
    for (const { name, version } of allowList)
      if (version !== undefined) expect(licences).to.contain(`${name} ${version}: `);
  });

  it('are the same by each of their names, at the top of the module and in the function', async () => {
    const value = await packages.runner.run(`
      const yup = require('yup');
      const { default: now, sync } = { default: require('csv-parse'), sync: require('csv-parse/sync') };
      module.exports = async () => [yup === require('yup'), now === require('csv-parse'), sync === require('csv-parse/sync.js'),
        require('lodash/get') === require('lodash/get.js'), require('uuid').v4 === require('uuid').v4];`);
    expect(value).to.deep.equal([true, true, true, true, true]);
  });

  it('are evaluated once in an isolate, and keep what they know from one invocation to the next', async () => {
    const code = `
      const axios = require('axios');
      axios.defaults.calls = 0;
      module.exports = () => (require('axios').defaults.calls += 1);`;
    const { runner } = packages;
    expect([await runner.run(code), await runner.run(code), await runner.run(code)]).to.deep.equal([1, 2, 3]);
  });

  it('of one tenant know nothing of another’s', async () => {
    const code = `
      module.exports = () => { const { defaults } = require('axios'); return (defaults.calls = (defaults.calls ?? 0) + 1); };`;
    const { runner } = packages;
    const tenants = ['tenant-x', 'tenant-y', 'tenant-x'];
    const counts: unknown[] = [];
    for (const tenant of tenants) counts.push(await runner.run(code, {}, { tenant }));
    expect(counts).to.deep.equal([1, 1, 2]);
  });

  it('have the modules of Node.js that user code has, and more of them only to be loaded', async () => {
    const value = await packages.valueOf(`
      const { Readable } = require('stream');
      const split2 = require('split2')();
      const isOurs = split2 instanceof require('stream').Transform && Readable.from([]) instanceof Readable;
      const denied = ['fs', 'net', 'child_process', 'node:dns'].filter((name) => {
        try { require(name); return false; } catch (error) { return error.code === 'MODULE_NOT_FOUND'; }
      });
      let read;
      try { new (require('pdfkit'))().image('/etc/passwd'); }
      catch (error) { read = [error.code, error.message]; }
      return [isOurs, denied, read];`);
    expect(value).to.deep.equal([
      true,
      ['fs', 'net', 'child_process', 'node:dns'],
      ['ENOENT', 'fs.readFileSync is not there: user code has no fs'],
    ]);
  });

  for (const name of [
    'left-pad',
    'axios/lib/axios',
    'lodash/../axios',
    'json:aws-sdk/apis/metadata.json',
    '__proto__',
    'node:axios',
  ]) {
    it(`are not to be had by other names: ${name}`, async () => {
      const error = await failureOf(packages.runner.run(`require('${name}'); module.exports = () => 1;`));
      const told = error.errors['error']?.[0];
      expect(told).to.contain(`Cannot find module '${name}'. There are: assert,`);
      expect(told).to.match(/ zlib; and the packages: @adyen\/api-library, .*\bxmlbuilder2, yup\./);
      expect(told).to.contain('main.js:1');
    });
  }

  it('show nothing of the host in their own stacks', async () => {
    const stack = (await packages.valueOf(`
      try { require('jsonwebtoken').sign({}, undefined); } catch (error) { return error.stack; }`)) as string;
    expect(stack)
      .to.contain('main.js:3')
      .and.match(/at .*\/node_modules\/jsonwebtoken\/index\.js/);
    expect(stack).to.not.match(/\/src\/|\/dist\/|file:|\.ts\b/);
  });
});
