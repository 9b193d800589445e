import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { RunnerServiceService, TransformSide, type TryRequest } from '@glovebox/protos/runner/v1/runner';
import { expect } from 'chai';

import { gatewayToken, otherToken } from './connection.ts';
import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';

interface Tried {
  readonly outcome: string;
  readonly result?: unknown;
  readonly log: readonly { readonly level: string; readonly text: string }[];
  readonly error?: {
    readonly name?: string;
    readonly message: string;
    readonly line?: number;
    readonly column?: number;
    readonly frame?: string;
  };
  readonly duration_ms: number;
  readonly memory_bytes: number | null;
  readonly tried_to_reach: readonly string[];
}

describe('trying code', () => {
  let runner: TestRunner;
  before(async () => {
    // More time than a busy machine takes to fill the memory of an isolate.
    runner = await startTestRunner({ limits: { wallMs: 3000 } });
    // In a new checkout the packages are bundled first.
    const required = "require('@glovebox/sdk'); module.exports = () => ({})";
    await until('packages are there', async () => (await tried(required)).outcome === 'returned', 300_000);
  });
  after(() => runner[Symbol.asyncDispose]());

  async function tried(code: string, own: Partial<TryRequest> = {}, token = otherToken): Promise<Tried> {
    const address = `127.0.0.1:${runner.grpcPort}`;
    const channel = createGrpcChannel({ address, token: new Secret(token) });
    const request: TryRequest = {
      tenantId: 'tenant',
      code,
      side: TransformSide.TRANSFORM_SIDE_UNSPECIFIED,
      args: Buffer.from('{"n":1}'),
      configuration: Buffer.from('{"c":"x"}'),
      applicationId: '',
      network: false,
      trial: '',
      ...own,
    };
    try {
      const options = { deadline: Date.now() + 30_000 };
      const { json } = await channel.unary(RunnerServiceService.try, request, options);
      return JSON.parse(json.toString()) as Tried;
    } finally {
      channel.close();
    }
  }

  it('runs it once with the event, and answers result, log, time and memory', async () => {
    const code = 'module.exports = async (req) => { console.log("in"); return { raw: req }; };';
    const { duration_ms: ms, memory_bytes: bytes, log, ...rest } = await tried(code);
    expect(rest).to.deep.equal({
      outcome: 'returned',
      result: { raw: { args: { n: 1 }, configuration: { c: 'x' }, bt: null } },
      tried_to_reach: [],
    });
    expect(log).to.have.length(1);
    expect(log[0]).to.include({ level: 'info', text: 'in' });
    expect(ms).to.be.within(0, 10_000);
    expect(bytes).to.be.within(100_000, 64 * 1024 * 1024);
  });

  it('says what was thrown and where, with the lines around it', async () => {
    const code = 'module.exports = (req) => {\n\tconst a = null;\n\treturn a.b;\n};';
    const { outcome, error } = await tried(code);
    expect(outcome).to.equal('threw');
    expect(error).to.deep.include({ name: 'TypeError', line: 3, column: 11 });
    expect(error?.message).to.match(/^Cannot read properties of null/);
    expect(error?.frame?.split('\n')).to.deep.equal([
      '  1 | module.exports = (req) => {',
      '  2 | \tconst a = null;',
      '> 3 | \treturn a.b;',
      '    | \t         ^',
      '  4 | };',
    ]);
  });

  it('tells apart how code fails', async () => {
    const outcomes: readonly (readonly [outcome: string, code: string, own?: Partial<TryRequest>])[] = [
      ['syntax_error', 'module.exports = ('],
      ['not_a_function', 'module.exports = 1'],
      ['timeout', 'module.exports = () => new Promise(() => setInterval(() => {}, 10));'],
      ['memory', 'module.exports = () => { const a = []; for (;;) a.push(new Array(3e6).fill(1.5)); };'],
      ['unusable_result', 'module.exports = () => 5;'],
      [
        'unusable_result',
        'module.exports = () => ({ raw: 1 });',
        { side: TransformSide.TRANSFORM_SIDE_REQUEST },
      ],
      ['returned', 'module.exports = () => ({ raw: 1 });'],
    ];
    for (const [outcome, code, own] of outcomes) {
      const given = await tried(code, own);
      expect(given.outcome, code).to.equal(outcome);
      expect(given.error === undefined, code).to.equal(outcome === 'returned');
    }
    const { error } = await tried('const a = 1;\nmodule.exports = ( => 2;');
    expect(error).to.deep.include({
      name: 'SyntaxError',
      message: "Unexpected token '=>'",
      line: 2,
      column: 20,
    });
    expect(error?.frame).to.contain('> 2 | module.exports = ( => 2;');
  });

  it('lets it reach nothing and do nothing by bt, and names what it tried', async () => {
    const code = `const http = require('http');
      module.exports = async (req) => {
        const failed = await new Promise((resolve) =>
          http.get('http://127.0.0.1:${runner.metricsPort}/readyz', () => resolve(false)).on('error', () => resolve(true)));
        const bt = await req.bt.tokens.create({ type: 'token', data: 1 }).then(() => 'made', (e) => e.status);
        return { raw: { failed, bt } };
      };`;
    const { result, tried_to_reach: reached } = await tried(code, { applicationId: 'a', trial: 'no' });
    expect(result).to.deep.equal({ raw: { failed: true, bt: 403 } });
    expect(reached).to.deep.equal([`127.0.0.1:${runner.metricsPort}`, 'bt POST /tokens']);
  });

  it('writes nothing of it to the log of the service', async () => {
    const before = runner.log.length;
    await tried(
      'globalThis.seen = 1; module.exports = () => { console.log("secret-of-a-trial"); throw 1; };',
    );
    expect(runner.log.slice(before).join()).not.to.contain('secret-of-a-trial');
  });

  it('runs few of one tenant at once, and does not keep other tenants waiting', async () => {
    const slow = 'module.exports = () => new Promise((r) => setTimeout(() => r({}), 500));';
    const many = Array.from({ length: 8 }, () =>
      tried(slow).then(
        () => 'ran',
        (e) => e.code,
      ),
    );
    const other = await tried('module.exports = () => ({})', { tenantId: 'other' });
    expect(other.outcome).to.equal('returned');
    const ended = await Promise.all(many);
    expect(ended.filter((one) => one === 'ran')).to.have.length(5);
    expect(ended.filter((one) => one === 'rate_limited')).to.have.length(3);
  });

  it('is open to control-api only', async () => {
    const error = await failureOf(tried('module.exports = () => ({})', {}, gatewayToken));
    expect(error.code).to.be.oneOf(['permission_denied', 'internal']);
  });
});
