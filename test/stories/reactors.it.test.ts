import { expect } from 'chai';

import { checkedFetch } from '../harness/checked-fetch.ts';
import { reactorStory } from '../harness/reactor-story.ts';
import { until } from '../harness/until.ts';

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
const echo = '(req) => ({ raw: req })';

/** contract/reactors.md#invocation, over the whole system. */
describe('a reactor', () => {
  const story = reactorStory();
  const { react, reactor } = story;

  it('runs its formula on detokenized arguments and answers what it returns', async () => {
    const token = await story.api.token({ type: 'card', data: card });
    const code = `async ({ args, configuration, bt }) => ({
      raw: { charged: args.card.number, by: configuration.KEY, args, bt },
    })`;
    const parameters = {
      'card.number': 'string',
      'card.expiration_month': 'string',
      amount: 'number',
      'note?': 'string',
    };
    const made = await reactor(
      code,
      { parameters, settings: { KEY: 'string' } },
      { configuration: { KEY: 's' } },
    );
    const answer = await react(made, { card: `{{ ${token} }}`, amount: '12.50', other: 'removed' });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json');
    expect(answer.json).to.deep.equal({
      raw: {
        charged: card.number,
        by: 's',
        args: { card: { number: card.number, expiration_month: '12' }, amount: 12.5 },
        bt: null,
      },
    });
  });

  it('gets plain text and expressions mixed, and parts of tokens', async () => {
    const token = await story.api.token({ type: 'card', data: card });
    const args = {
      note: `card {{ ${token} | json: '$.number' | last4 }} of {{${token}|json:'$.expiration_year'}}`,
    };
    const answer = await react(await reactor(echo, { parameters: { note: 'string' } }), args);
    expect(answer.json.raw.args).to.deep.equal({ note: 'card 4242 of 2030' });
  });

  it('gets all its required parameters from one token', async () => {
    const token = await story.api.token({ type: 'token', data: { a: 1, b: { c: 'true' }, d: 'dropped' } });
    const made = await reactor(echo, { parameters: { a: 'string', 'b.c': 'boolean' } });
    expect((await react(made, `{{${token}}}`)).json.raw.args).to.deep.equal({ a: '1', b: { c: true } });
  });

  it('gets everything when its formula declares nothing, and arrays too', async () => {
    const made = await reactor(echo);
    for (const args of [{ a: { b: [1, { c: null }] } }, [1, 'x', { y: 2 }]]) {
      expect((await react(made, args)).json.raw.args).to.deep.equal(args);
    }
  });

  it('gets an empty object for absent arguments, an empty body, and what curl sends', async () => {
    const made = await reactor(echo, { parameters: { 'a?': 'string' } });
    const send = async (body: string, headers: Record<string, string>) =>
      (await react(made, undefined, { body, headers })).json.raw?.args;
    const json = { 'Content-Type': 'application/json' };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await send('{}', json)).to.deep.equal({});
    expect(await send('{"args":null}', json)).to.deep.equal({});
    expect(await send('', json)).to.deep.equal({});
    expect(await send('', form)).to.deep.equal({});
    expect(await send('{"args":{"a":"x"}}', form)).to.deep.equal({ a: 'x' });
    expect(await send('\uFEFF{"args":{"a":"x"}}', json)).to.deep.equal({ a: 'x' });
    const { base } = story.api;
    const untyped = await checkedFetch(`${base}/reactors/${made.id}/react/`, {
      method: 'POST',
      headers: { 'BT-API-KEY': story.key },
      body: Buffer.from('{"args":{"a":"y"}}'),
    });
    expect(await untyped.json()).to.deep.equal({ raw: { args: { a: 'y' }, configuration: {}, bt: null } });
  });

  it('keeps the digits of numbers that are declared as strings', async () => {
    const token = await story.api.token({ type: 'token', data: '900719925474099312345' });
    const made = await reactor(echo, { parameters: { a: 'string', b: 'string' } });
    const body = `{"args":{"a":12345678901234567890.10,"b":"{{ ${token} | to_string }}"}}`;
    expect((await react(made, undefined, { body })).json.raw.args).to.deep.equal({
      a: '12345678901234567890.10',
      b: '900719925474099312345',
    });
  });

  it('gets its configuration in the types that its formula declares', async () => {
    const settings = { S: 'string', N: 'number', B: 'boolean' };
    const made = await reactor(
      echo,
      { settings },
      { configuration: { S: '1', N: '1.5', B: 'false', X: 'x' } },
    );
    expect((await react(made, {})).json.raw.configuration).to.deep.equal({
      S: '1',
      N: 1.5,
      B: false,
      X: 'x',
    });
  });

  it('has the vault make tokens of its tokenize block, and shows them as their creator may see them', async () => {
    const code = `({ args }) => ({
      tokenize: { card: { type: 'card', data: args.card }, list: ['a', null], name: 'b' },
      raw: { ok: true },
    })`;
    const creator = await story.api.application({
      name: 'creator',
      type: 'private',
      permissions: ['token:create', 'token:use'],
    });
    const made = await reactor(code);
    const { status, json, text } = await react(made, { card }, { key: creator.key });
    expect(status, text).to.equal(200);
    expect(json.raw).to.deep.equal({ ok: true });
    expect(json.tokens.card).to.deep.include({
      type: 'card',
      data: { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 },
      created_by: creator.id,
    });
    expect(json.tokens.list[0]).to.match(/^[0-9a-f-]{36}$/);
    expect(json.tokens.list[1]).to.equal(null);
    const read = await story.api.send('GET', `/tokens/${json.tokens.name}`, { key: story.key });
    expect(read.json.data).to.equal('b');
  });

  it('makes its tokens as its application, if it has one', async () => {
    const application = await story.api.application({
      name: 'of the reactor',
      type: 'public',
      permissions: ['token:create'],
    });
    const user = await story.api.application({ name: 'user', type: 'private', permissions: ['token:use'] });
    const code = "() => ({ tokenize: { t: { type: 'token', data: 'v' } } })";
    const withOne = await reactor(code, {}, { application: { id: application.id } });
    const answer = await react(withOne, {}, { key: user.key });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json).to.not.have.property('raw');
    expect(answer.json.tokens.t.created_by).to.equal(application.id);
    expect((await react(await reactor(code), {}, { key: user.key })).status).to.equal(403);
    await story.api.manage('DELETE', `/applications/${application.id}`);
    await until('it has none any more', async () => {
      const { status, json } = await react(withOne, {}, { key: story.key });
      expect(status).to.be.oneOf([200, 401]);
      return status === 200 && json.tokens.t.created_by !== application.id;
    });
  });

  it('answers what it returns as it is, whatever it is', async () => {
    const results: [code: string, answer: object][] = [
      ['() => undefined', {}],
      ['() => ({})', {}],
      ['() => ({ raw: undefined })', {}],
      ['() => ({ raw: "a,b" })', { raw: 'a,b' }],
      ['() => ({ raw: [1, null] })', { raw: [1, null] }],
      ['() => ({ raw: null, tokenize: null })', { raw: null }],
      ['() => ({ other: 1, body: {}, tokens: { forged: 1 } })', {}],
      ['() => ({ raw: { __proto__: null, ["__proto__"]: 1 } })', JSON.parse('{"raw":{"__proto__":1}}')],
    ];
    for (const [code, answer] of results) {
      const { status, json } = await react(await reactor(code), {});
      expect(status, code).to.equal(200);
      expect(json, code).to.deep.equal(answer);
    }
  });

  it('follows its formula and its configuration when they change, and is gone when it is deleted', async () => {
    const made = await reactor(
      '({ configuration }) => ({ raw: [1, configuration] })',
      {},
      { configuration: { A: 'a' } },
    );
    expect((await react(made, {})).json.raw).to.deep.equal([1, { A: 'a' }]);
    const path = `/reactor-formulas/${made.formula.id}`;
    const code = 'module.exports = ({ configuration }) => ({ raw: [2, configuration] })';
    const changed = { type: 'private', name: 'story', code, configuration: [{ name: 'A', type: 'number' }] };
    expect((await story.api.manage('PUT', path, changed)).status).to.equal(200);
    await until('the new formula asks for another configuration', async () => {
      const { status, json } = await react(made, {});
      return status === 400 && json.errors['configuration.A'] !== undefined;
    });
    const update = { name: 'story', configuration: { A: 5 } };
    expect((await story.api.manage('PUT', `/reactors/${made.id}`, update)).status).to.equal(200);
    await until('both are new', async () => (await react(made, {})).json.raw?.[1]?.A === 5);
    expect((await react(made, {})).json.raw[0]).to.equal(2);
    expect((await story.api.manage('DELETE', `/reactors/${made.id}`)).status).to.equal(204);
    await until('it is gone', async () => (await react(made, {})).status === 404);
  });
});
