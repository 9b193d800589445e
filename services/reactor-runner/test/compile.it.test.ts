import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { type CompileProblem, RunnerServiceService } from '@glovebox/protos/runner/v1/runner';
import { expect } from 'chai';

import { gatewayToken, otherToken } from './connection.ts';
import { failureOf } from './expect-failure.ts';
import { isRunning } from './processes.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { startSteadyTraffic } from './steady-traffic.ts';
import { until } from './until.ts';
import { workersBy } from './worker-of.ts';

describe('compiling code', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  async function compile(code: string, token = otherToken): Promise<CompileProblem | undefined> {
    const channel = createGrpcChannel({ address: `127.0.0.1:${runner.grpcPort}`, token: new Secret(token) });
    try {
      const { problem } = await channel.unary(
        RunnerServiceService.compile,
        { code, tenantId: '' },
        { deadline: Date.now() + 10_000 },
      );
      return problem;
    } finally {
      channel.close();
    }
  }

  it('finds nothing wrong with a module of Node.js, whatever it would do', async () => {
    for (const code of [
      'module.exports = async function (req) { return req; };',
      "const { a } = require('crypto'); exports.b = __filename + __dirname; return;",
      'for (;;);',
      'throw new Error("at load");',
      '// nothing',
      ' ',
      'module.exports = "ü€😀\u2028";',
      '#!/usr/bin/env node\nmodule.exports = () => 1;',
      'module.exports = () => 1;\n//# sourceURL=other.js',
    ]) {
      expect(await compile(code), code).to.equal(undefined);
    }
  });

  const wrong: readonly [code: string, message: string, line: number, column: number][] = [
    [
      'module.exports = async (req) => {\n  let let = 1;\n};',
      'let is disallowed as a lexically bound name',
      2,
      7,
    ],
    ['module.exports = function () {\n  const a = 1;\n}}', "Unexpected token '}'", 3, 2],
    ['}', "Unexpected token '}'", 1, 1],
    ['module.exports = async (req) => {\n  return 1;\n', 'Unexpected end of input', 3, 1],
    ['module.exports = (', 'Unexpected end of input', 1, 19],
    ['return;\nmodule.exports = (', 'Unexpected end of input', 2, 19],
    ['const a = `abc\n', 'Unexpected end of input', 2, 1],
    ['const x = 1;\r\nlet x = 2;', "Identifier 'x' has already been declared", 2, 5],
    ['\n\nconst a = /(/;', 'Invalid regular expression: /(/: Unterminated group', 3, 11],
    [
      'import a from "b";',
      'Cannot use import statement outside a module; this is a CommonJS module: use require, and module.exports = async function (req) { … }',
      1,
      1,
    ],
    [
      'export default 1;',
      "Unexpected token 'export'; this is a CommonJS module: write module.exports = async function (req) { … }",
      1,
      1,
    ],
    ['});({', "Unexpected token ')'", 1, 2],
    ['}); while (true) {}; (function () {', "Unexpected token ')'", 1, 2],
    ['return 1;\n},0,function () {', 'Unexpected number', 2, 3],
    ['#!/usr/bin/env node\n}', "Unexpected token '}'", 2, 1],
    ['const a = " [main.js:7:7]', 'Invalid or unexpected token', 1, 11],
  ];
  for (const [code, message, line, column] of wrong) {
    it(`names the place in the user's text: ${JSON.stringify(code)}`, async () => {
      expect(await compile(code)).to.deep.equal({ message: `SyntaxError: ${message}`, line, column });
    });
  }

  it('refuses code that is too much for a compiler, and tenants who run code do not notice', async () => {
    const traffic = startSteadyTraffic(runner, 'neighbour');
    const bombs = {
      brackets: '['.repeat(50_000),
      functions: '(function(){'.repeat(4000),
      arrows: 'a=>'.repeat(16_000),
      templates: '`${'.repeat(16_000),
    };
    for (const [name, bomb] of Object.entries(bombs)) {
      const problem = await compile(bomb);
      expect(problem?.message, name).to.contain('nested too deeply');
    }
    expect(await compile(`module.exports = /${'(a{0,65535}){0,65535}'.repeat(2000)}/;`)).to.equal(undefined);
    expect(await compile(`module.exports = /${'('.repeat(20_000)}${')'.repeat(20_000)}/;`)).to.equal(
      undefined,
    );
    expect((await traffic.stop()).calls).to.be.greaterThan(0);
  });

  it('goes on in a new process when the one that compiles has ended, which is none of those that run code', async () => {
    await runner.run('module.exports = () => 1;');
    await until('a spare worker is ready', async () => (await workersBy(runner, 'spare')) === 1);
    await compile('1');
    const all = runner.workers();
    expect(all).to.have.length((await workersBy(runner, 'serving')) + 2);
    for (const pid of all) process.kill(pid, 'SIGKILL');
    await until('they are gone', () => !all.some(isRunning));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => compile('module.exports = 1;')));
    expect(outcomes).to.deep.equal(Array.from({ length: 20 }));
  });

  it('is open to control-api only', async () => {
    expect((await failureOf(compile('1', gatewayToken))).code).to.be.oneOf(['permission_denied', 'internal']);
  });

  it('refuses code that is empty or too long', async () => {
    for (const code of ['', ' '.repeat(50_001)]) {
      const error = await failureOf(compile(code));
      expect(error.code).to.equal('invalid_argument');
      expect(error.errors).to.have.all.keys('code');
    }
  });
});
