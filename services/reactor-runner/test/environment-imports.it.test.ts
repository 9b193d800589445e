import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

describe('import() in user code', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  const valueOf = (body: string) => runner.run(`module.exports = async (req) => {\n${body}\n};`);

  it('resolves to the members of a module of Node.js, and the whole as its default', async () => {
    const value = await valueOf(`
      const { createHash, default: crypto, ...rest } = await import('crypto');
      const again = await import(\`node:\${'crypto'}\`);
      const space = await import('crypto');
      return [createHash('md5').update('').digest('hex'), crypto === require('crypto'), again.createHash === createHash,
        space === await import('crypto'), Object.prototype.toString.call(space), 'randomBytes' in rest];`);
    expect(value).to.deep.equal([
      'd41d8cd98f00b204e9800998ecf8427e',
      true,
      true,
      true,
      '[object Module]',
      true,
    ]);
  });

  it('resolves to packages, whatever they were written as', async () => {
    const value = await valueOf(`
      const [{ v4, validate }, { default: pLimit }, { default: fetch }, { default: lodash }] =
        await Promise.all(['uuid', 'p-limit', 'node-fetch', 'lodash'].map((name) => import(name)));
      return [validate(v4()), await pLimit(1)(() => 'limited'), typeof fetch, lodash.chunk([1, 2, 3], 2)];`);
    expect(value).to.deep.equal([true, 'limited', 'function', [[1, 2], [3]]]);
  });

  it('rejects what is not there, and says what there is', async () => {
    const [code, message] = (await valueOf(`
      return import('./local.js').catch(({ code, message }) => [code, message]);`)) as string[];
    expect(code).to.equal('ERR_MODULE_NOT_FOUND');
    expect(message).to.contain(`Cannot find module './local.js'. There are: assert,`);
  });

  it('moves no place in the code', async () => {
    const code = `module.exports = async () => {
      if ((await import('os')).EOL === '\\n') throw new Error('here');
    };`;
    const error = await failureOf(runner.run(code));
    expect(error.errors['error']).to.deep.equal(['Error: here (main.js:2:52)']);
  });
});
