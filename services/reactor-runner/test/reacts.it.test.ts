import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { expectSoon } from '../../../test/harness/expect-soon.ts';
import { failureOf } from './expect-failure.ts';
import { Publisher } from './published.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

const tenant = randomUUID();
const wallMs = 500;
const echo = 'module.exports = (req) => ({ raw: req });';

/** With published records in a real Redis, and no vault: what needs none is served without. */
describe('invoking a reactor', () => {
  let publisher: Publisher;
  let runner: TestRunner;
  let apiKey: string;
  before(async () => {
    publisher = await Publisher.start();
    const redis = publisher.connection;
    runner = await startTestRunner({ redis, limits: { wallMs } });
    apiKey = await publisher.application(tenant, ['token:use']);
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await publisher[Symbol.asyncDispose]();
  });

  const bodyOf = (args: unknown) => Buffer.from(JSON.stringify({ args }));
  const react = async (code: string, args: unknown = {}, options: object = {}) =>
    runner.react({ reactorId: await publisher.reactor(tenant, code), apiKey, body: bodyOf(args) }, options);

  it('runs its code on its arguments', async () => {
    expect(await react(echo, { a: [1] })).to.deep.equal({
      raw: { args: { a: [1] }, configuration: {}, bt: null },
    });
  });

  it('is checked by the runner itself, whatever the gateway has accepted', async () => {
    const reactorId = await publisher.reactor(tenant, echo);
    const body = bodyOf({});
    const refusal = async (key: string) =>
      (await failureOf(runner.react({ reactorId, apiKey: key, body }))).code;
    expect(await refusal('')).to.equal('unauthenticated');
    expect(await refusal('key_1111111111111111111111')).to.equal('unauthenticated');
    expect(await refusal(await publisher.application(tenant, ['token:read']))).to.equal('permission_denied');
    expect(await refusal(await publisher.application(randomUUID(), ['token:use']))).to.equal('not_found');
    for (const id of [randomUUID(), '', '*']) {
      expect((await failureOf(runner.react({ reactorId: id, apiKey, body }))).code).to.equal('not_found');
    }
  });

  for (const [what, code] of [
    ['loops', 'module.exports = () => { for (;;); };'],
    ['never settles', 'module.exports = () => new Promise(() => {});'],
    ['loops in what it returns', 'module.exports = () => ({ get raw() { for (;;); } });'],
    ['loops while it is loaded', 'for (;;);'],
  ] as const) {
    it(`ends with an error within a second of its limit when the code ${what}`, async () => {
      const attempt = async () => {
        const error = await failureOf(react(code));
        expect(error).to.include({ code: 'internal', message: 'Reactor Runtime Error' });
        expect(error.errors['error']?.[0]).to.match(/time limit/);
      };
      // The code before may have cost the tenant its worker.
      await expectSoon({ atLeast: wallMs - 10, atMost: wallMs + 1000 }, attempt, () => react(echo));
    });
  }

  it('finds its code warm beside sixty others', async () => {
    const counts = 'let n = 0; module.exports = () => ({ raw: (n += 1) });';
    const ids = await Promise.all(Array.from({ length: 61 }, () => publisher.reactor(tenant, counts)));
    const round = async () => {
      const counted: number[] = [];
      for (const reactorId of ids) {
        const { raw } = (await runner.react({ reactorId, apiKey, body: bodyOf({}) })) as { raw: number };
        counted.push(raw);
      }
      return counted;
    };
    let before = await round();
    expect(before).to.deep.equal(ids.map(() => 1));
    // A busy machine may cost the tenant its worker between two rounds. Without room for all, every round would be cold.
    for (let left = 5; left > 0; left -= 1) {
      const after = await round();
      if (after.every((count, index) => count === before[index]! + 1)) return;
      before = after;
    }
    expect.fail('in none of five rounds was all code warm');
  });

  it('is refused what is larger than code may get or return', async () => {
    expect((await failureOf(react(echo, { a: 'x'.repeat(1_000_000) }))).code).to.equal('too_large');
    const large = await failureOf(react('module.exports = () => ({ raw: "x".repeat(1_000_000) });'));
    expect(large.errors).to.deep.equal({ error: ['The result of the code is too large.'] });
  });

  it('stops when the caller no longer waits for it', async () => {
    const controller = new AbortController();
    const waiting = react('module.exports = () => new Promise(() => {});', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect((await failureOf(waiting)).code).to.equal('cancelled');
  });

  it('is unavailable while the vault is away, if it needs the vault', async () => {
    expect((await failureOf(react(echo, { a: '{{ token }}' }))).code).to.equal('unavailable');
    const tokenizes = 'module.exports = () => ({ tokenize: "x" });';
    expect((await failureOf(react(tokenizes))).code).to.equal('unavailable');
    const more = { sealedConfiguration: { KEY: Buffer.from('sealed') } };
    const reactorId = await publisher.reactor(tenant, echo, more);
    expect((await failureOf(runner.react({ reactorId, apiKey, body: bodyOf({}) }))).code).to.equal(
      'unavailable',
    );
    expect(await react(echo)).to.have.property('raw');
  });

  it('says nothing of arguments and results in its log', () => {
    expect(runner.log.join('')).to.not.contain('xxxx');
  });
});
