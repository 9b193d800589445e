import { once } from 'node:events';
import { connect } from 'node:net';

import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem, headOf, sendBytes } from './harness/hostile.ts';

const good = { name: 'x', destination_url: 'https://example.com' };
const json = JSON.stringify(good);
const mebibyte = 1024 * 1024;

describe('hostile bodies', () => {
  let api: TestApi;

  before(async () => {
    api = await startTestApi();
  });

  after(() => api[Symbol.asyncDispose]());

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    api.send('POST /proxies', { body, headers });

  const malformed: readonly [why: string, body: string | Buffer][] = [
    ['nothing', ''],
    ['a cut-off object', '{"name":'],
    ['text', 'hello'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['single quotes', "{'name':'x'}"],
    ['a trailing comma', '{"name":"x",}'],
    ['a control character inside a string', '{"name":"a\u0001b"}'],
    ['invalid UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')])],
    ['UTF-16', Buffer.from(json, 'utf16le')],
    ['100 000 open brackets', '['.repeat(100_000)],
    ['100 000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
  ];
  for (const [why, body] of malformed) {
    it(`${why} as a body is a 400`, async () => {
      expectProblem(await post(body), 400);
      expectProblem(await api.send('PUT /tenants/self', { body }), 400);
    });
  }

  const wrong: readonly [why: string, body: object, paths: string[]][] = [
    ['nothing that is required', {}, ['name', 'destination_url']],
    [
      'everything of the wrong type',
      {
        name: 1,
        destination_url: [],
        request_transform: 'x',
        response_transform: { code: 1 },
        application: 'x',
        configuration: [],
        require_auth: 'true',
      },
      [
        'name',
        'destination_url',
        'request_transform',
        'response_transform.code',
        'application',
        'configuration',
        'require_auth',
      ],
    ],
    [
      'everything too long or too short',
      {
        name: 'x'.repeat(201),
        destination_url: `https://example.com/${'x'.repeat(400)}`,
        request_transform: { code: 'x'.repeat(50_001) },
        response_transform: { code: '' },
        application: { id: 'x' },
        configuration: { '': 'x', a: 'x'.repeat(16_385) },
      },
      [
        'name',
        'destination_url',
        'request_transform.code',
        'response_transform.code',
        'application.id',
        'configuration.',
        'configuration.a',
      ],
    ],
    [
      'a transform without code',
      { ...good, request_transform: { type: 'code' } },
      ['request_transform.code'],
    ],
    [
      'a transform of a list without code',
      { ...good, request_transforms: [{}] },
      ['request_transforms[0].code'],
    ],
    ['an application without an id', { ...good, application: {} }, ['application.id']],
    ['an empty name', { ...good, name: '' }, ['name']],
    ['a name of two lines', { ...good, name: 'a\nb' }, ['name']],
    ['a name of two lines, by U+2028', { ...good, name: 'a\u2028b' }, ['name']],
    [
      '26 settings',
      { ...good, configuration: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`k${i}`, 'v'])) },
      ['configuration'],
    ],
    [
      '50 000 settings',
      { ...good, configuration: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1])) },
      ['configuration'],
    ],
    [
      'a setting that is no string',
      { ...good, configuration: { a: 1, b: {}, c: 'ok' } },
      ['configuration.a', 'configuration.b'],
    ],
    ['a name with U+0000', { ...good, name: 'a\0b' }, ['name']],
    ['code with U+0000', { ...good, request_transform: { code: '\0' } }, ['request_transform.code']],
    ['a setting with U+0000', { ...good, configuration: { a: '\0' } }, ['configuration.a']],
    ["a setting's name with U+0000", { ...good, configuration: { 'a\0': 'x' } }, ['configuration']],
    ['half of a surrogate pair', { ...good, name: 'a\ud800' }, ['name']],
  ];
  for (const [why, body, paths] of wrong) {
    it(`${why}: 400, every problem at once, by its path`, async () => {
      const answer = await post(body);
      expectProblem(answer, 400);
      expect(answer.body.title).to.equal('One or more validation errors occurred.');
      expect(answer.body.errors).to.have.all.keys(paths);
    });
  }

  const destinations = [
    'http://example.com',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://localhost/',
    'https://user:pass@example.com/',
    'ftp://example.com',
    'https://',
    'example.com',
    'javascript:alert(1)',
    'https://exa mple.com',
    ' https://example.com',
    '',
  ];
  for (const destination of destinations) {
    it(`the destination "${destination}" is refused by the strict profile`, async () => {
      const answer = await post({ ...good, destination_url: destination });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys('destination_url');
    });
  }

  it('a name that cannot be public is refused where it is saved, with why, unless the operator allows it', async () => {
    const { reversingSealer } = await import('./harness/reversing-sealer.ts');
    const allowing = { ...api.config, egressProfile: 'development', egressAllowHosts: ['redis'] } as const;
    await using lenient = await startTestApi({ sealer: reversingSealer }, allowing);
    const hook = { name: 'x', events: ['reactor.completed'] };
    for (const url of ['https://redis:6379', 'https://ledger.internal/x']) {
      const { id } = (await api.send('POST /proxies', { body: good })).body;
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      const answers = {
        destination_url: [
          await api.send('POST /proxies', { body: { ...good, destination_url: url } }),
          await api.send(`PUT /proxies/${id}`, { body: { ...good, destination_url: url } }),
          await api.send(`PATCH /proxies/${id}`, { body: { destination_url: url }, headers }),
        ],
        url: [await api.send('POST /webhooks', { body: { ...hook, url } })],
      };
      for (const [field, refused] of Object.entries(answers)) {
        for (const answer of refused) {
          expectProblem(answer, 400);
          expect(answer.body.errors[field]?.join()).to.match(
            /must have a host that can be public.*one label/,
          );
        }
      }
    }
    const allowed = { ...good, destination_url: 'https://redis:6379' };
    expect((await lenient.send('POST /proxies', { body: allowed })).status).to.equal(201);
    const told = { ...hook, url: 'https://redis:6379' };
    expect((await lenient.send('POST /webhooks', { body: told })).status).to.equal(201);
    const other = { ...good, destination_url: 'http://ledger.internal' };
    expect((await lenient.send('POST /proxies', { body: other })).status).to.equal(400);
  });

  it('the development profile lets http://localhost in', async () => {
    const { reversingSealer } = await import('./harness/reversing-sealer.ts');
    const config = { ...api.config, egressProfile: 'development' } as const;
    await using lenient = await startTestApi({ sealer: reversingSealer }, config);
    const body = { ...good, destination_url: 'http://localhost:3000/x' };
    expect((await lenient.send('POST /proxies', { body })).status).to.equal(201);
  });

  it('the limits themselves are let in: 200 characters, 50 000 of code, 25 settings, full escapes', async () => {
    const body = {
      name: '💳'.repeat(100),
      destination_url: `https://example.com/${'x'.repeat(380)}`,
      request_transform: { code: `//${'\u0001'.repeat(49_998)}` },
      response_transform: { code: `//${'\u0001'.repeat(49_998)}` },
      configuration: Object.fromEntries(
        Array.from({ length: 25 }, (_, i) => [`${i}${'k'.repeat(190)}`, 'v'.repeat(16_384)]),
      ),
    };
    const answer = await post(body);
    expect(answer.status, answer.text.slice(0, 500)).to.equal(201);
    expect(answer.body).to.deep.include(body);
  });

  it('names that mean something to JavaScript are harmless', async () => {
    const body = `{"name":"x","destination_url":"https://example.com","__proto__":{"require_auth":false},
      "constructor":{"prototype":{"polluted":1}},"configuration":{"constructor":"b","toString":"c"}}`;
    const answer = await post(body);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body).to.include({ require_auth: true });
    expect(answer.body.configuration).to.include({ constructor: 'b', toString: 'c' });
    expect({}).not.to.have.property('polluted');
    const { body: read } = await api.send(`GET /proxies/${answer.body.id}`);
    expect(read.configuration).to.include({ constructor: 'b', toString: 'c' });
  });

  it('a configuration entry that JavaScript would lose is refused instead', async () => {
    const answer = await post(
      '{"name":"x","destination_url":"https://example.com","configuration":{"__proto__":"a"}}',
    );
    expect(answer.status).to.equal(400);
    expect(answer.body.errors).to.have.all.keys('configuration');
  });

  it('unknown properties are ignored, also where a whole application is sent', async () => {
    const { body: application } = await api.send('GET /applications/key', { key: api.tenant.privateKey });
    const answer = await post({ ...good, application, surprise: [1, { 2: 3 }] });
    expect([answer.status, answer.body.application_id]).to.deep.equal([201, application.id]);
  });

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=utf-16',
  ]) {
    it(`a body of ${type} is a 415`, async () => {
      expectProblem(await post(json, { 'Content-Type': type }), 415);
    });
  }

  it('a body without a content type, or compressed, is a 415', async () => {
    expect(await sendBytes(api, headOf(api, `Content-Length: ${json.length}`), json)).to.match(
      /^HTTP\/1\.1 415 /,
    );
    expectProblem(await post(json, { 'Content-Encoding': 'gzip' }), 415);
  });

  it('application/json with parameters, in any case, is let in', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await post(json, { 'Content-Type': type })).status).to.equal(201);
    }
  });

  it('10 MB of braces are a 413, announced or not', async () => {
    const braces = '{'.repeat(10 * mebibyte);
    expectProblem(await post(braces), 413);
    const chunked = await sendBytes(
      api,
      headOf(api, 'Content-Type: application/json\r\nTransfer-Encoding: chunked'),
      `${braces.length.toString(16)}\r\n${braces}\r\n0\r\n\r\n`,
    );
    expect(chunked).to.match(/^HTTP\/1\.1 413 /);
  });

  it('large ones are refused beyond what may be held at once; small ones are not, and afterwards none is', async () => {
    const large = JSON.stringify({ ...good, note: 'x'.repeat(2 * mebibyte - 100) });
    const head = headOf(api, `Content-Type: application/json\r\nContent-Length: ${large.length}`);
    const begin = () => {
      const socket = connect(api.service.httpPort, '127.0.0.1');
      socket.on('error', () => undefined).write(head + large.slice(0, -1));
      return socket;
    };
    const unfinished = Array.from({ length: 8 }, begin);
    await until('one more is refused', async () => {
      if ((await post(large)).status === 503) return true;
      // That one may have had the room of another, which was refused.
      unfinished.push(begin());
      return false;
    });
    expect((await post(good)).status).to.equal(201);
    for (const socket of unfinished) socket.destroy();
    await until('there is room again', async () => (await post(large)).status === 201);
  });

  it('a body that is cut off half-way changes nothing, and the next request is served', async () => {
    const count = async () => (await api.send('GET /proxies')).body.pagination.total_items;
    const before = await count();
    const socket = connect(api.service.httpPort, '127.0.0.1');
    socket.write(
      headOf(api, `Content-Type: application/json\r\nContent-Length: ${json.length}`) + json.slice(0, 20),
    );
    await once(socket, 'connect');
    socket.destroy();
    expect(await count()).to.equal(before);
  });
});
