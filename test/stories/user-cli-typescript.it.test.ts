import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { developmentTenant } from '../harness/another-tenant.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { type RunOptions, folderOf, runUserCli } from '../harness/user-cli.ts';

/** Everything that becomes other lines of JavaScript is above the lines that throw. */
const charge = `import crypto = require('crypto');
import type { Unused } from './nowhere';

enum Kind {
  Card = 'card',
  Bank = 'bank',
}
namespace Fees {
  export const percent: number = 2;
}
interface Req {
  args: { body: { kind: Kind; amount: number }; headers: Record<string, string> };
}
class Charge {
  constructor(
    private readonly kind: Kind,
    readonly amount: number,
  ) {}
  get total(): number {
    if (this.kind === Kind.Bank) throw new RangeError('no banks');
    return this.amount + Fees.percent;
  }
}

export = async (req: Req) => {
  console.log(new Error('as a log').stack);
  const { kind, amount } = req.args.body;
  const total = new Charge(kind, amount).total satisfies number;
  const digest = crypto.createHash('sha256').update(String(total)).digest('hex');
  return { headers: req.args.headers, body: { total, digest: digest.slice(0, 4) } };
};
`;
const thrownAt = `charge.ts:20:${'    if (this.kind === Kind.Bank) throw '.length + 1}`;
const answer = `enum Side { Response }
module.exports = async (req: { args: { body: object } }) => {
  if (Side.Response === 0) throw new Error('in the answer');
  return { body: req.args.body };
};
`;
const late = `enum Side { Request }
const side: Side = missing;
module.exports = async () => ({ body: side });
`;

/** TypeScript in the folder of the command line (docs/cli.md#typescript). */
describe('TypeScript of users of the command line', function () {
  // Each starts the program several times.
  this.timeout(180_000);
  let system: System;
  let destination: Destination;
  before(async () => {
    [system, destination] = await Promise.all([sharedSystem(), startDestination()]);
  });
  after(() => destination[Symbol.asyncDispose]());

  const prepare = async (name: string) => {
    const made = await developmentTenant(system, name);
    const env = {
      GLOVEBOX_URL: system.dev.base_url,
      GLOVEBOX_MANAGEMENT_KEY: made.management_api_key,
      GLOVEBOX_API_KEY: made.private_api_key,
    };
    const folder = folderOf({
      'glovebox.yaml': `version: 1
proxies:
  asking: { destination_url: '${destination.url}', request_transform: { code: ./charge.ts } }
  answered: { destination_url: '${destination.url}', response_transform: { code: ./answer.ts } }
formulas:
  fees: { code: ./charge.ts }
reactors:
  fee: { formula: fees }
`,
      'charge.ts': charge,
      'answer.ts': answer,
      'card.json': '{"args": {"headers": {}, "body": {"kind": "card", "amount": 5}}}',
      'bank.json': '{"args": {"headers": {}, "body": {"kind": "bank", "amount": 5}}}',
      'body.json': '{"kind": "bank", "amount": 5}',
    });
    const run = (args: readonly string[], options: RunOptions = {}) =>
      runUserCli(folder.path, args, { ...options, env: { ...env, ...options.env } });
    return { folder, run };
  };

  it('is compiled: what it makes runs, and what runs is plain JavaScript', async () => {
    const { folder, run } = await prepare('compiled');
    using _folder = folder;
    const tried = await run(['try', 'charge.ts', '--event', 'card.json', '--json']);
    expect(tried.code, tried.stdout + tried.stderr).to.equal(0);
    expect(JSON.parse(tried.stdout).result.body).to.deep.equal({ total: 7, digest: '7902' });
    const applied = await run(['apply']);
    expect(applied.code, applied.stderr).to.equal(0);
    const again = await run(['apply', '--check']);
    expect(again.code, again.stdout).to.equal(0);
    const pulled = await run(['pull', '--folder', '.', '--force']);
    expect(pulled.code, pulled.stderr).to.equal(0);
    const stored = readFileSync(join(folder.path, 'asking.request.js'), 'utf8');
    expect(stored)
      .to.contain('module.exports = ')
      .and.not.match(/\benum\b|sourceMappingURL|interface/);
  });

  it('has its own lines in every error: of code that is tried, runs dry, runs, and ran', async () => {
    const { folder, run } = await prepare('own lines');
    using _folder = folder;
    const tried = await run(['try', 'charge.ts', '--event', 'bank.json']);
    expect(tried.code).to.equal(1);
    expect(tried.stdout).to.contain(`${thrownAt}: RangeError: no banks`);
    expect(tried.stdout).to.contain(
      "> 20 |     if (this.kind === Kind.Bank) throw new RangeError('no banks');",
    );
    // What it logged is a stack.
    expect(tried.stdout)
      .to.match(/as a log[^]*charge\.ts:26:\d+/)
      .and.not.contain('main.js');

    expect((await run(['apply'])).code).to.equal(0);
    const dry = await run(['dry-run', 'proxy', 'asking', '--body', 'body.json', '--json']);
    const { error, log } = JSON.parse(dry.stdout).steps.find(
      (step: { name: string }) => step.name === 'transform',
    );
    expect(`${error.file}:${error.line}:${error.column}`, dry.stdout).to.equal(thrownAt);
    expect(error.frame).to.contain('> 20 |');
    expect(JSON.stringify(log)).to.contain('charge.ts:26:').and.not.contain('main.js');

    const invoked = await run(['invoke', 'proxy', 'asking', '--body', 'body.json']);
    expect(invoked.code).to.equal(1);
    expect(invoked.stderr).to.contain(`RangeError: no banks (${thrownAt})`);
    const answered = await run(['invoke', 'proxy', 'answered', '--body', 'body.json']);
    expect(answered.stderr).to.match(/in the answer \(answer\.ts:3:\d+\)/);
    const reacted = await run(['invoke', 'reactor', 'fee', '--body', 'bank.json']);
    expect(reacted.stderr).to.contain(`RangeError: no banks (${thrownAt})`);

    const ran = await run(['invocations', '--outcome', 'failed']);
    expect(ran.code, ran.stderr).to.equal(0);
    expect(ran.stdout.split('\n').filter((line) => line.includes(thrownAt))).to.have.length(2);
    expect(ran.stdout)
      .to.match(/answer\.ts:3:\d+/)
      .and.not.contain('main.js');

    // The tenant has the code of the file as it was: its lines say nothing of this one.
    appendFileSync(join(folder.path, 'charge.ts'), 'console.log(1);\n');
    const changed = await run(['invocations', '--outcome', 'failed']);
    expect(changed.stdout)
      .to.match(/ main\.js:\d+:\d+/)
      .and.not.contain(thrownAt);
    expect((await run(['invocations', '--folder', 'nowhere'])).code).to.equal(1);
  });

  it('has its own lines in what the service says as it takes the code, and what does not compile is not sent', async () => {
    const { folder, run } = await prepare('as it is taken');
    using _folder = folder;
    appendFileSync(join(folder.path, 'charge.ts'), '\nenum Broken { x = }\n');
    for (const args of [['diff'], ['apply'], ['try', 'charge.ts']]) {
      const refused = await run(args);
      expect([refused.code, refused.stderr]).to.deep.equal([1, 'charge.ts:33:19: Expression expected\n']);
    }
    using other = folderOf({
      'glovebox.yaml': `version: 1
proxies:
  late: { destination_url: '${destination.url}', request_transform: { code: ./late.ts } }
`,
      'late.ts': late,
    });
    const warned = await run(['apply', '--folder', other.path]);
    expect(warned.code, warned.stderr).to.equal(0);
    expect(warned.stderr).to.contain('missing is not defined (late.ts:2:20)');
    appendFileSync(join(other.path, 'late.ts'), "import { x } from 'crypto';\nconsole.log(x);\n");
    const refused = await run(['apply', '--folder', other.path]);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain('Cannot use import statement outside a module');
    expect(refused.stderr).to.contain('(late.ts:4:1)').and.not.contain('main.js');
  });
});
