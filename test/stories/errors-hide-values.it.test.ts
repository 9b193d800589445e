import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Answer, Json, Sent } from '../harness/api.ts';
import { reactorStory } from '../harness/reactor-story.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

const pan = '4242424242424242';
const name = 'Žofie "Z" Königová';
const secret = 'sk/live+51H%20x==';

/** JavaScript that throws what it is given, in every encoding that our answers are held to. */
const thrower = `const told = (v) => [
    v, v.replace(/(.{4})/g, '$1 '), v.split('').join('-'), JSON.stringify(JSON.stringify({ v })), encodeURIComponent(v),
    Buffer.from(v).toString('hex'), Buffer.from(v).toString('hex').toUpperCase(),
    ...['', 'a', 'ab'].flatMap((before) => ['base64', 'base64url'].map((to) => Buffer.from(before + v).toString(to))),
  ];
  const boom = (values) => {
    throw Object.assign(new Error('boom ' + values.flatMap(told).join(' | ')));
  };
  const refuse = (values) => {
    const errors = { [values[0]]: values.flatMap(told), ok: ['stays'] };
    throw Object.assign(new Error(values.join()), { name: 'BadRequestError', status: 400, errors });
  };`;

/** What somebody could read a value from, of any length that tells something of it. */
const traces = [pan, name, secret].flatMap((value) => {
  const bytes = Buffer.from(value);
  const base64 = ['', 'a', 'ab'].map((before) =>
    Buffer.from(before + value)
      .toString('base64')
      .slice(4, -4),
  );
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    ...base64,
  ];
});

/** An answer of ours that says that code has failed, and with which values not. */
function expectNoValue(answer: Answer): void {
  const read = [answer.text, JSON.stringify(answer.headers)].map((text) =>
    text.replaceAll(/[ -](?=\d)/g, '').toLowerCase(),
  );
  for (const text of read) {
    for (const trace of traces) expect(text).to.not.contain(trace.toLowerCase());
    for (const url of [traces[0]!, traces[1]!])
      expect(text).to.not.contain(Buffer.from(url).toString('base64url'));
  }
}

/** Messages of failing code: its author wrote them, and its caller may not read what they show. */
describe('an error never shows a value', () => {
  const proxies = transformStory();
  const reactors = reactorStory();
  let card: string;
  let person: string;
  let user: Json;
  let reader: Json;

  before(async () => {
    card = await proxies.api.token({ type: 'token', data: { number: pan, cvc: '123' } });
    person = await proxies.api.token({ type: 'token', data: name });
    user = await proxies.api.application({ name: 'user', type: 'private', permissions: ['token:use'] });
    const rules = [
      {
        priority: 1,
        container: '/',
        transform: 'reveal',
        permissions: ['token:read', 'token:use', 'token:search'],
      },
    ];
    reader = await proxies.api.application({ name: 'reader', type: 'private', rules });
  });

  const configuration = { KEY: secret };
  const post = (proxy: Json, sent: Sent) => proxies.post(proxy, { key: user.key, ...sent });
  const body = () => ({ card: `{{ ${card} }}`, person: `Name: {{ ${person} }}!` });
  const values = 'args.body.card.number, args.body.person.slice(6, -1), configuration.KEY';

  it('that its request detokenized, or that is in the configuration, when a request transform throws', async () => {
    for (const [how, status] of [
      ['boom', 500],
      ['refuse', 400],
    ] as const) {
      const code = `({ args, configuration }) => { ${thrower} ${how}([${values}]); }`;
      const proxy = await proxies.onRequest(code, { configuration });
      for (const headers of [{}, { 'SVC-IDEMPOTENCY-KEY': randomUUID() }]) {
        for (let time = 0; time < 2; time += 1) {
          const answer = await post(proxy, { body: body(), headers });
          expect(answer.status, answer.text).to.equal(status);
          expect(answer.text)
            .to.contain('***')
            .and.contain(how === 'boom' ? 'main.js:' : 'stays');
          expectNoValue(answer);
        }
      }
    }
    expect(proxies.destination.received).to.have.length(0);
  });

  it('that its request detokenized, when a response transform throws what the destination sends back', async () => {
    proxies.destination.answer = (received, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(received.body);
    };
    const proxy = await proxies.onResponse(`({ args, configuration }) => { ${thrower} boom([${values}]); }`, {
      configuration,
    });
    const answer = await post(proxy, { body: body() });
    expect(answer.status, answer.text).to.equal(500);
    expect(answer.text).to.contain('boom ***');
    expectNoValue(answer);
  });

  it('that its code reads by bt', async () => {
    const code = `async ({ args: { body, args = body }, bt }) => {
      ${thrower}
      const { data } = await bt.tokens.retrieve(args.card);
      const found = await bt.detokenize({ v: 'x{{' + args.person + '}}' });
      boom([data.number, found.v.slice(1)]);
    }`;
    const ids = { card, person };
    const application = { id: reader.id };
    const proxy = await proxies.onRequest(code, { application });
    // The packages are bundled when a runner first starts, that of bt among them.
    const prepared = async () => !(await post(proxy, { body: ids })).text.includes('being prepared');
    await until('packages are there', prepared, 50_000);
    const parameters = { card: 'string', person: 'string' };
    const reactor = await reactors.reactor(
      code.replace('{ body, args = body }', '{ ...args }'),
      { parameters },
      { application },
    );
    for (const answer of [
      await post(proxy, { body: ids }),
      await reactors.react(reactor, ids, { key: user.key }),
    ]) {
      expect(answer.text).to.contain('boom ***');
      expectNoValue(answer);
    }
  });

  const thrownBy = (how: string) =>
    reactors.reactor(
      `({ args, configuration }) => { ${thrower} ${how}([args.card.number, args.person, configuration.KEY]); }`,
      {
        parameters: { 'card.number': 'string', 'card.cvc': 'string', person: 'string' },
        settings: { KEY: 'string' },
      },
      { configuration },
    );
  const args = () => ({ card: `{{ ${card} }}`, person: `{{ ${person} }}` });

  it('of a reactor, at once, later, or among its invocations for who may not read tokens', async () => {
    for (const [how, status] of [
      ['boom', 500],
      ['refuse', 400],
    ] as const) {
      const reactor = await thrownBy(how);
      const answer = await reactors.react(reactor, args(), { key: user.key });
      expect(answer.status, answer.text).to.equal(status);
      expect(answer.text).to.contain('***');
      expectNoValue(answer);

      const path = `/reactors/${reactor.id}`;
      const accepted = await proxies.api.send('POST', `${path}/react-async`, {
        key: user.key,
        body: { args: args() },
      });
      const request = accepted.json.asyncReactorRequestId as string;
      let result!: Answer;
      await until('there is a result', async () => {
        result = await proxies.api.send('GET', `${path}/results/${request}`, { key: user.key });
        return result.status !== 404;
      });
      expect([result.status, result.json.detail, result.json.errors]).to.deep.equal([
        status,
        answer.json.detail,
        answer.json.errors,
      ]);
      expectNoValue(result);
      expect((await proxies.api.send('GET', `${path}/invocations`, { key: user.key })).status).to.equal(403);
    }
  });

  it('but the invocation of the code does, for who may read every token', async () => {
    const reactor = await thrownBy('boom');
    await reactors.react(reactor, args(), { key: user.key });
    let data: Json[] = [];
    await until('it is told', async () => {
      const answer = await proxies.api.send('GET', `/reactors/${reactor.id}/invocations`, {
        key: reactors.key,
      });
      data = answer.json.data;
      return data.length === 1;
    });
    for (const value of [pan, name, secret]) expect(data[0].error.message).to.contain(value);
  });

  it('by the names of fields in what a reactor has tokenized', async () => {
    const reactor = await reactors.reactor(
      `({ args }) => ({ tokenize: { [args.person]: { type: 'card', data: { number: 'none' } } } })`,
      { parameters: { person: 'string' } },
    );
    const answer = await reactors.react(reactor, { person: `{{ ${person} }}` });
    expect(answer.status, answer.text).to.equal(400);
    expect(Object.keys(answer.json.errors).join()).to.contain('tokenize["***"]');
    expectNoValue(answer);
  });

  describe('to somebody without a key', () => {
    const open = (code: string) => proxies.onRequest(code, { require_auth: false, configuration });
    const ask = (proxy: Json) =>
      proxies.api.send('POST', '/proxy', {
        body: {},
        headers: { 'SVC-PROXY-KEY': proxy.key, 'SVC-TRACE-ID': 'order-43' },
      });

    it('nor anything else of what its code says', async () => {
      for (const [how, status, detail] of [
        ['boom', 500, 'Reactor Runtime Error'],
        ['refuse', 400, 'Bad Request'],
      ] as const) {
        const proxy = await open(
          `({ configuration }) => { ${thrower} ${how}([configuration.KEY, 'of the inside']); }`,
        );
        const answer = await ask(proxy);
        expect(answer.status, answer.text).to.equal(status);
        expect(answer.json.proxy_error.detail).to.equal(detail);
        expect(answer.json.proxy_error.errors).to.deep.equal({
          error: ['The code failed. Its owner finds the reason under the trace id order-43.'],
        });
        expect(answer.headers['svc-trace-id']).to.equal('order-43');
        expect(answer.json.proxy_error.trace_id).to.equal('order-43');
        expect(answer.text).to.not.contain('of the inside');
        expectNoValue(answer);
      }
    });

    it('when the code answers by itself: that keeps its status, its headers and its body, without values', async () => {
      const custom = (key: string) => `({ configuration: { KEY } }) => {
        const response = { status: 418, headers: { 'X-Kind': 'teapot', 'X-Key': 'a ' + ${key} }, body: { a: ['b', ${key}] } };
        throw Object.assign(new Error('x'), { name: 'CustomHttpResponseError' }, response);
      }`;
      const proxy = await open(custom('KEY'));
      const answer = await ask(proxy);
      expect([answer.status, answer.headers['x-kind'], answer.headers['x-key'], answer.json]).to.deep.equal([
        418,
        'teapot',
        'a ***',
        { a: ['b', '***'] },
      ]);
      const known = await post(proxy, { body: {} });
      expect([known.status, known.headers['x-key'], known.json]).to.deep.equal([
        418,
        `a ${secret}`,
        { a: ['b', secret] },
      ]);
    });
  });
});
