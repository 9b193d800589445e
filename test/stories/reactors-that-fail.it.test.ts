import { expect } from 'chai';

import { expectSoon } from '../harness/expect-soon.ts';
import { expectError, reactorStory } from '../harness/reactor-story.ts';

const echo = '({ args }) => ({ raw: args })';

/**
 * contract/reactors.md#invocation and contract/errors.md#error-object; contract/reactors.md#arguments and
 * contract/errors.md#thrown-errors.
 */
describe('a reactor refuses', () => {
  const story = reactorStory();
  const { react, reactor } = story;

  it('arguments that are missing or impossible to cast, and names all of them at once', async () => {
    const parameters = {
      'card.number': 'string',
      'card.month': 'number',
      amount: 'number',
      flag: 'boolean',
      'note?': 'string',
    };
    const answer = await react(await reactor(echo, { parameters }), {
      card: { month: 'May', Number: '42' },
      amount: null,
      flag: 1,
      note: ['x'],
    });
    expectError(answer, 400, /One or more validation errors occurred/);
    expect(answer.json.errors).to.deep.equal({
      'args.card.month': ['must be a number, or a decimal number as a string'],
      'args.flag': ['must be a boolean, or true or false as a string'],
      'args.note': ['must be a string'],
      'args.card.number': ['is required'],
      'args.amount': ['is required'],
    });
  });

  it('arguments that do not fit only after they are detokenized', async () => {
    const token = await story.api.token({ type: 'token', data: { number: 'x' } });
    const made = await reactor(echo, { parameters: { 'a.number': 'number' } });
    const answer = await react(made, { a: `{{${token}}}` });
    expectError(answer, 400, /args\.a\.number/);
    expect(answer.text).to.not.contain('"x"');
  });

  it('with nothing of a value that its code cannot parse, and says where it cannot', async () => {
    const token = await story.api.token({ type: 'token', data: 'SSN 123-45-6789' });
    const made = await reactor('({ args }) => JSON.parse(args.x)', { parameters: { x: 'string' } });
    const answer = await react(made, { x: `{{${token}}}` });
    expectError(answer, 500, /SyntaxError: Unexpected token S in JSON at position 0 \(main.js:1:\d+\)/);
    expect(answer.text).to.not.match(/SSN|-45-/);
  });

  it('with the status and message of an error that the code throws', async () => {
    const made = await reactor(`() => {
      const toRFC7807 = () => ({ status: 409, detail: 'Conflict', errors: { account: ['is closed'] } });
      throw Object.assign(new Error('of the inside'), { toRFC7807 });
    }`);
    const answer = await react(made, {});
    expectError(answer, 409, /Conflict/);
    expect(answer.json.errors).to.deep.equal({ account: ['is closed'] });
    expect(answer.text).to.not.contain('of the inside');
  });

  it('with at most the first 2000 characters of what its code says, or none where it holds a value', async () => {
    const token = await story.api.token({ type: 'token', data: '4242424242424242' });
    const thrown = {
      said: "throw new Error('m'.repeat(1990) + args.x)",
      answered:
        "throw Object.assign(new Error('m'.repeat(1990) + args.x), { name: 'BadRequestError', status: 400 })",
    };
    for (const [how, code] of Object.entries(thrown)) {
      const made = await reactor(`({ args }) => { ${code} }`);
      const [cut] = Object.values((await react(made, { x: 'n'.repeat(100) })).json.errors).flat();
      expect(cut, how)
        .to.match(/^(?:Error: )?m+n*…$/)
        .and.to.have.lengthOf(2001);
      const withheld = await react(made, { x: `{{${token}}}` });
      expect(withheld.text, how).to.contain('too long to be shown').and.to.not.contain('424242');
    }
  });

  it('arguments that are no object', async () => {
    const declaring = await reactor(echo, { parameters: { 'a?': 'string' } });
    for (const args of ['x', 5, true, []])
      expectError(await react(declaring, args), 400, /args.*must be an object/);
    expectError(await react(await reactor(echo), 'x'), 400, /an object or an array/);
  });

  it('expressions that are broken, or name no token', async () => {
    const made = await reactor(echo);
    const token = await story.api.token({ type: 'token', data: 'v' });
    expectError(
      await react(made, { a: '{{ nope-1 }}', b: '{{nope-2}}' }),
      400,
      /Failed to detokenize some tokens: nope-1, nope-2/,
    );
    expectError(await react(made, { a: '{{ nope' }), 400, /byte 13 of the body/);
    expectError(await react(made, { a: '{{}}' }), 400, /names no token/);
    expectError(await react(made, { a: `{{ ${token} | nosuch }}` }), 400, /filter/);
  });

  it('more than 100 tokens, and takes 100', async () => {
    const made = await reactor('({ args }) => ({ raw: args.length })');
    const values = Array.from({ length: 100 }, (_, i) => `v${i}`);
    const ids = (await story.api.send('POST', '/tokenize', { key: story.key, body: values }))
      .json as string[];
    const more = await story.api.token({ type: 'token', data: 'one more' });
    const args = ids.map((id) => `{{${id}}}`);
    expect((await react(made, args)).json).to.deep.equal({ raw: 100 });
    expectError(await react(made, [...args, `{{${more}}}`]), 400, /100 tokens/);
    expect((await react(made, [...args, args[0]])).json).to.deep.equal({ raw: 101 });
  });

  it('a value that is not a JSON object, too deep or too large', async () => {
    const made = await reactor(echo);
    const send = (body: string | Buffer, headers = {}) => react(made, undefined, { body, headers });
    for (const body of [
      '{"args":',
      'args',
      '"{{x}}"',
      '[]',
      'null',
      '5',
      '\u0000',
      Buffer.from([0x7b, 0xff]),
    ]) {
      expectError(await send(body), 400, /The body/);
    }
    const deep = (levels: number) => `{"args":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    expect((await send(deep(100))).status).to.equal(200);
    expectError(await send(deep(100_000)), 400, /deep/);
    expectError(await send(`{"args":"${'x'.repeat(10_000_000)}"}`), 413, /larger than 1048576 bytes/);
    expectError(await send('<args/>', { 'Content-Type': 'application/xml' }), 415, /Content-Type/);
    expectError(await send('{}', { 'Content-Encoding': 'gzip' }), 415, /Content-Encoding/);
    expect((await react(made, {})).status).to.equal(200);
  });

  it('nothing that only looks dangerous', async () => {
    const made = await reactor('({ args }) => ({ raw: [Object.keys(args), ({}).polluted === undefined] })');
    const body = '{"__proto__":{"args":1},"args":{"__proto__":{"polluted":1},"constructor":2,"toString":3}}';
    const answer = await react(made, undefined, { body });
    expect(answer.json).to.deep.equal({ raw: [['__proto__', 'constructor', 'toString'], true] });
    const declaring = await reactor('({ args }) => ({ raw: [Object.keys(args), typeof args.polluted] })', {
      parameters: { 'a?': 'string' },
    });
    expect((await react(declaring, undefined, { body })).json).to.deep.equal({ raw: [[], 'undefined'] });
  });

  it('other methods', async () => {
    const { id } = await reactor(echo);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await story.api.send(method, `/reactors/${id}/react`, { key: story.key });
      expectError(answer, 405, /POST/);
      expect(answer.headers['allow']).to.equal('POST');
    }
  });
});

describe('a reactor whose code fails answers', () => {
  const story = reactorStory();
  const { react, reactor } = story;

  const failures: [what: string, code: string, status: number, text: RegExp][] = [
    [
      'an error of its own',
      "() => { throw new TypeError('nope'); }",
      500,
      /Reactor Runtime Error.*|nope \(main\.js:1/,
    ],
    ['a rejection', "async () => { throw 'plain'; }", 500, /Reactor Runtime Error/],
    ['that it is no function', '{ a: 1 }', 422, /must be a function/],
    ['that it returned null', '() => null', 500, /returned null/],
    ['that it returned an array', '() => []', 500, /returned an array/],
    ['that it returned text', "() => 'x'", 500, /returned a string/],
    ['that it returned a number', '() => 5', 500, /returned a number/],
    ['that it returned a cycle', '() => { const a = {}; a.a = a; return { raw: a }; }', 500, /circular/i],
    ['that it returned too much', "() => ({ raw: 'x'.repeat(3_000_000) })", 500, /too large/],
    [
      'what is wrong in its tokenize block',
      "() => ({ tokenize: { c: { type: 'card', data: {} } } })",
      400,
      /tokenize\.c\.data\.number/,
    ],
    [
      'what there is instead of fetch',
      "() => fetch('https://a.example')",
      500,
      /fetch is not defined .*There is no fetch here/,
    ],
    ['that it has no bt', "(req) => req.bt.tokens.retrieve('x')", 500, /There is no bt here.*application/],
    ['that its tokenize block is too long', "() => ({ tokenize: Array(101).fill('x') })", 400, /100/],
  ];
  for (const [what, code, status, text] of failures) {
    it(what, async () => {
      expectError(await react(await reactor(code), {}), status, text);
    });
  }

  it('that it used too much processor time', async () => {
    const made = await reactor('() => { for (;;); }');
    expectError(await react(made, {}), 500, /more processor time than its limit of 2 seconds/);
  }).timeout(60_000);

  it('that it ran out of time, within a second of it', async () => {
    const made = await reactor('() => new Promise((done) => setTimeout(done, 60_000))');
    await expectSoon({ atLeast: 30_000, atMost: 31_500 }, async () =>
      expectError(await react(made, {}), 500, /within its time limit of 30 seconds/),
    );
  }).timeout(200_000);

  for (const [name, status, detail] of [
    ['BadRequestError', 400, 'Bad Request'],
    ['InvalidReactorConfigurationError', 400, 'Invalid Reactor Configuration'],
    ['AuthenticationError', 401, 'Authentication Failed'],
    ['InvalidPaymentMethodError', 402, 'Invalid Payment Method'],
    ['AuthorizationError', 403, 'Forbidden'],
    ['RateLimitError', 429, 'Rate Limit Exceeded'],
    ['ReactorRuntimeError', 500, 'Reactor Runtime Error'],
    ['ServiceUnavailableError', 503, 'Service Unavailable'],
  ] as const) {
    it(`with ${status} for a ${name}`, async () => {
      const code = `() => {
        throw Object.assign(new Error('${detail}'), {
          name: '${name}', status: ${status}, errors: { error: ['told'] }, toRFC7807() {},
        });
      }`;
      const answer = await react(await reactor(code), {});
      expectError(answer, status, /told/);
      expect(answer.json).to.include({ detail });
      expect(answer.json.errors).to.deep.equal({ error: ['told'] });
    });
  }

  it('with the whole response that it throws, as it is', async () => {
    const code = `() => {
      throw Object.assign(new Error(), {
        name: 'CustomHttpResponseError', status: 202,
        headers: { 'X-Own': 'yes', 'Content-Length': '1', 'SVC-TRACE-ID': 'forged' }, body: { own: ['body'] },
      });
    }`;
    const answer = await react(await reactor(code), {});
    expect(answer.status).to.equal(202);
    expect(answer.text).to.equal('{"own":["body"]}');
    expect(answer.headers).to.include({ 'x-own': 'yes', 'content-type': 'application/json' });
    expect(answer.headers['svc-trace-id']).to.be.a('string').and.not.equal('forged');
  });
});
