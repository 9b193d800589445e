import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { expect } from 'chai';

import { type Answer, type Json, type Sent, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

const form = 'application/x-www-form-urlencoded';

/** interface.md section 4.8, over the whole system. */
describe('a transform', () => {
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    api = apiOf(await sharedSystem());
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const only = () => {
    expect(destination.received).to.have.length(1);
    return destination.received[0]!;
  };
  const onlyJson = (): Json => JSON.parse(only().body.toString());
  const onRequest = (code: string, more: object = {}): Promise<Json> =>
    api.proxy(destination.url, { request_transform: { code: `module.exports = ${code}` }, ...more });
  const onResponse = (code: string, more: object = {}): Promise<Json> =>
    api.proxy(destination.url, { response_transform: { code: `module.exports = ${code}` }, ...more });
  const post = (proxy: Json, sent: Sent = { body: {} }, path = '') =>
    api.invoke(proxy.key, 'POST', path, sent);
  const answering = (type: string | undefined, body: string | Buffer, headers: object = {}, status = 200) => {
    destination.answer = (_received, response) => {
      response.writeHead(status, { ...(type === undefined ? {} : { 'Content-Type': type }), ...headers });
      response.end(body);
    };
  };
  const expectProblem = (answer: Answer, status: number, text: RegExp) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(Object.keys(answer.json)).to.deep.equal(['proxy_error']);
    expect(answer.json.proxy_error.status).to.equal(status);
    expect(answer.json.proxy_error).to.have.all.keys('errors', 'title', 'status', 'detail');
    expect(JSON.stringify(answer.json.proxy_error)).to.match(text);
    expect(answer.headers).to.not.have.property('svc-proxy-destination-status');
  };

  describe('of a request', () => {
    const showArgs = 'async (req) => ({ headers: {}, body: { shown: req } })';

    it('gets the body, headers, method, path and query as they came', async () => {
      const proxy = await onRequest(showArgs);
      await post(
        proxy,
        {
          headers: {
            'MY-Custom-Key': 'a',
            under_score: 'b',
            'Content-Type': 'application/json; charset=utf-8',
          },
          body: { n: 1, deep: [{ 'é€': null }] },
        },
        '/sub/path%20x?b=%26&a=1',
      );
      const { args, configuration, ...rest } = onlyJson().shown;
      expect(rest).to.deep.equal({});
      expect(configuration).to.deep.equal({});
      expect(args).to.include({ method: 'POST', path: '/sub/path%20x', query: '?b=%26&a=1' });
      expect(args.body).to.deep.equal({ n: 1, deep: [{ 'é€': null }] });
      expect(args.headers).to.include({
        'MY-Custom-Key': 'a',
        under_score: 'b',
        'Content-Type': 'application/json; charset=utf-8',
      });
      for (const name of Object.keys(args.headers)) expect(name).to.not.match(/(api|proxy)-key/i);
    });

    it('gets an empty path and query where there are none, and never the proxy key', async () => {
      const proxy = await onRequest(showArgs);
      const { dev } = await sharedSystem();
      const path = `/proxy?svc-proxy-key=${proxy.key}`;
      await api.send('POST', path, { key: dev.private_api_key, body: {} });
      expect(onlyJson().shown.args).to.include({ path: '', query: '' });
      expect(only().body.toString()).to.not.include(proxy.key);
    });

    it('gets no body of a request without one, and may give it one', async () => {
      const proxy = await onRequest(
        "async ({ args }) => ({ headers: args.headers, body: { had: 'body' in args, method: args.method } })",
      );
      for (const method of ['GET', 'DELETE', 'POST', 'PUT', 'PATCH']) {
        expect((await api.invoke(proxy.key, method, '')).status, method).to.equal(200);
        const { body, headers } = destination.received.at(-1)!;
        expect(JSON.parse(body.toString())).to.deep.equal({ had: false, method });
        expect(headers['content-type']).to.equal('application/json');
        expect(headers['content-length']).to.equal(String(body.length));
      }
    });

    it('gets any JSON value', async () => {
      const proxy = await onRequest('({ args }) => ({ body: { was: args.body } })');
      for (const value of [null, 0, -1.5, true, [], [1, 'two'], {}]) {
        await post(proxy, { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } });
        expect(JSON.parse(destination.received.at(-1)!.body.toString())).to.deep.equal({ was: value });
      }
    });

    it('gets a form as an object, and its object is sent as a form again', async () => {
      const proxy = await onRequest(`({ args }) => {
        const { body, headers } = args;
        return { headers, body: { ...body, list: [...body.many, 3], seen: JSON.stringify(body), none: null } };
      }`);
      await post(proxy, {
        headers: { 'Content-Type': form },
        body: 'a=1+2&many=x&many=%C3%A9&__proto__=p&empty=',
      });
      const sent = new URLSearchParams(only().body.toString());
      expect(only().headers['content-type']).to.equal(form);
      expect(only().headers['content-length']).to.equal(String(only().body.length));
      expect(sent.getAll('many')).to.deep.equal(['x', 'é']);
      expect(sent.getAll('list')).to.deep.equal(['x', 'é', '3']);
      expect(sent.get('none')).to.equal('');
      expect(sent.get('seen')).to.equal('{"a":"1 2","many":["x","é"],"__proto__":"p","empty":""}');
    });

    it('may return text, which is sent as it is', async () => {
      const proxy = await onRequest("({ args }) => ({ headers: args.headers, body: 'x=1&y=%20€' })");
      await post(proxy, { headers: { 'Content-Type': form }, body: 'a=1' });
      expect(only().body.toString()).to.equal('x=1&y=%20€');
      expect(only().headers['content-length']).to.equal(String(Buffer.byteLength('x=1&y=%20€')));
    });

    it('may turn JSON into a form by the content type that it returns', async () => {
      const proxy = await onRequest(
        `({ args }) => ({ headers: { 'content-type': '${form}' }, body: args.body })`,
      );
      await post(proxy, { body: { a: 'b c', d: 1 } });
      expect(only().body.toString()).to.equal('a=b+c&d=1');
      expect(only().headers['content-type']).to.equal(form);
    });

    it('gets the detokenized body', async () => {
      const id = await api.token({ type: 'token', data: { number: '4242' } });
      const proxy = await onRequest(
        '({ args }) => ({ headers: args.headers, body: { inner: args.body.card.number, text: args.body.t } })',
      );
      await post(proxy, { body: { card: `{{${id}}}`, t: `<{{${id} | json: '$.number'}}>` } });
      expect(onlyJson()).to.deep.equal({ inner: '4242', text: '<4242>' });
    });

    it('injects configured secrets into body and headers', async () => {
      const proxy = await onRequest(
        `async ({ args, configuration }) => ({
          headers: { ...args.headers, Authorization: 'Bearer ' + configuration.KEY },
          body: { ...args.body, user: configuration.USER, names: Object.keys(configuration).sort() },
        })`,
        { configuration: { KEY: 's3cr€t'.replace('€', 'e'), USER: 'üser "quoted"', __proto__x: '1' } },
      );
      await post(proxy, { body: { a: 1 } });
      expect(only().headers['authorization']).to.equal('Bearer s3cret');
      expect(onlyJson()).to.deep.equal({ a: 1, user: 'üser "quoted"', names: ['KEY', 'USER', '__proto__x'] });
    });

    it('replaces the headers, and leaves those alone that are the service’s own', async () => {
      const proxy = await onRequest(`({ args }) => ({ body: args.body, headers: {
        'X-Kept': args.headers['X-Kept'], 'x!restricted~name': 'r', Number: 5, List: ['a', 'b'], Gone: null,
        Host: 'evil.example', 'Content-Length': '3', 'Transfer-Encoding': 'chunked', Connection: 'upgrade',
        'SVC-API-KEY': 'k', 'BT-PROXY-KEY': 'k', 'Content-Encoding': 'gzip', Expect: '100-continue',
      } })`);
      await post(proxy, { headers: { 'X-Kept': 'yes', 'X-Dropped': 'no' }, body: { a: 1 } });
      const { headers, rawHeaders } = only();
      expect(headers).to.include({ 'x-kept': 'yes', 'x!restricted~name': 'r', number: '5', list: 'a, b' });
      expect(rawHeaders.filter((name) => name === 'List')).to.have.length(2);
      expect(headers['host']).to.equal(new URL(destination.url).host);
      expect(headers['content-length']).to.equal('7');
      for (const name of ['x-dropped', 'gone', 'svc-api-key', 'bt-proxy-key', 'content-encoding', 'expect'])
        expect(headers, name).to.not.have.property(name);
      expect(headers['svc-trace-id']).to.be.a('string');
    });

    it('overrides a received header whatever its case', async () => {
      const proxy = await onRequest(
        "({ args }) => ({ body: args.body, headers: { ...args.headers, authorization: 'new' } })",
      );
      await post(proxy, { headers: { Authorization: 'old' }, body: {} });
      const names = only().rawHeaders.filter((_, at) => at % 2 === 0 && /^authorization$/i.test(_));
      expect(names).to.deep.equal(['authorization']);
      expect(only().headers['authorization']).to.equal('new');
    });

    it('that returns no headers and no body sends none', async () => {
      const proxy = await onRequest('() => ({})');
      await post(proxy, { headers: { 'X-Mine': '1' }, body: { a: 1 } });
      expect(only().body).to.have.length(0);
      expect(only().headers).to.not.have.any.keys('x-mine', 'content-type', 'transfer-encoding');
      expect(only().headers['content-length']).to.equal('0');
    });

    for (const [name, code] of [
      [
        'grows',
        "({ args }) => ({ headers: args.headers, body: { ...args.body, more: 'é'.repeat(200000) } })",
      ],
      ['shrinks', '({ args }) => ({ headers: args.headers, body: {} })'],
      ['stays', '({ args }) => args'],
    ] as const) {
      for (const coding of ['none', 'gzip', 'br', 'deflate'] as const) {
        it(`announces a body that ${name} rightly, received with content-encoding ${coding}`, async () => {
          const proxy = await onRequest(code);
          const plain = JSON.stringify({ text: 'x'.repeat(1000) });
          const encode = { none: Buffer.from, gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
          const encoded = coding === 'none' ? {} : { 'Content-Encoding': coding };
          const headers = { 'Content-Type': 'application/json', ...encoded };
          expect((await post(proxy, { headers, body: encode[coding](plain) })).status).to.equal(200);
          const { body, headers: sent } = only();
          expect(sent).to.not.have.property('content-encoding');
          expect(sent['content-length']).to.equal(String(body.length));
          expect(JSON.parse(body.toString())).to.be.an('object');
        });
      }
    }

    describe('that fails reaches no destination:', () => {
      const failures: [what: string, code: string, status: number, text: RegExp][] = [
        [
          'it throws',
          "() => { throw new TypeError('nope'); }",
          500,
          /Reactor Runtime Error.*|nope \(main\.js:1/,
        ],
        ['it rejects', "async () => { throw 'plain'; }", 500, /plain/],
        ['it is no function', '{ a: 1 }', 422, /must be a function/],
        ['it does not parse', '() => { return', 422, /SyntaxError.*main\.js:\d/],
        ['it returns nothing', '() => {}', 500, /returned undefined/],
        ['it returns null', '() => null', 500, /returned null/],
        ['it returns an array', '() => []', 500, /returned an array/],
        ['it returns text', "() => 'x'", 500, /returned a string/],
        ['it returns a cycle', '() => { const a = {}; a.a = a; return a; }', 500, /circular/i],
        ['its headers are text', "() => ({ headers: 'x' })", 500, /headers that are no object/],
        ['a header is an object', '() => ({ headers: { A: {} } })', 500, /a header A that is neither/],
        ['a header is true', '() => ({ headers: { A: true } })', 500, /a header A that is neither/],
        ['a header splits', "() => ({ headers: { A: 'x\\r\\nB: y' } })", 500, /A with characters/],
        ['a header is no Latin-1', "() => ({ headers: { A: '€' } })", 500, /A with characters/],
        ['a header has no name', "() => ({ headers: { '': 'x' } })", 500, /name is not valid/],
        ['a name has a space', "() => ({ headers: { 'A B': 'x' } })", 500, /name is not valid/],
        ['headers are too many', "() => ({ headers: { A: 'x'.repeat(40000) } })", 500, /more than 32768/],
        [
          'an object for another type',
          "() => ({ headers: { 'Content-Type': 'text/xml' }, body: {} })",
          500,
          /neither JSON nor a form/,
        ],
        [
          'no form',
          `() => ({ headers: { 'Content-Type': '${form}' }, body: { a: {} } })`,
          500,
          /no form can hold/,
        ],
      ];
      for (const [what, code, status, text] of failures) {
        it(what, async () => {
          expectProblem(await post(await onRequest(code)), status, text);
          expect(destination.received).to.have.length(0);
        });
      }

      it('its error names itself a status', async () => {
        const proxy = await onRequest(`({ args }) => {
          class AuthenticationError extends Error {
            constructor(errors) {
              super('Authentication Failed');
              Object.assign(this, { name: 'AuthenticationError', status: 401, errors });
            }
          }
          if (!args.headers['X-PARTNER-KEY'])
            throw new AuthenticationError({ error: ['X-PARTNER-KEY header is required'] });
          return args;
        }`);
        const answer = await post(proxy);
        expect(answer.status).to.equal(401);
        expect(answer.json).to.deep.equal({
          proxy_error: {
            errors: { error: ['X-PARTNER-KEY header is required'] },
            title: 'One or more validation errors occurred.',
            status: 401,
            detail: 'Authentication Failed',
          },
        });
        expect(destination.received).to.have.length(0);
        expect((await post(proxy, { headers: { 'X-PARTNER-KEY': 'k' }, body: {} })).status).to.equal(200);
      });

      it('it throws a whole response', async () => {
        const proxy = await onRequest(`() => {
          throw Object.assign(new Error(), {
            name: 'CustomHttpResponseError', status: 402,
            headers: { 'X-Own': 'yes', 'Content-Length': '1', 'SVC-TRACE-ID': 'forged' }, body: { own: ['body'] },
          });
        }`);
        const answer = await post(proxy);
        expect(answer.status).to.equal(402);
        expect(answer.text).to.equal('{"own":["body"]}');
        expect(answer.headers).to.include({ 'x-own': 'yes', 'content-type': 'application/json' });
        expect(answer.headers['svc-trace-id']).to.be.a('string').and.not.equal('forged');
        expect(destination.received).to.have.length(0);
      });

      it('the body is of another type', async () => {
        const proxy = await onRequest('({ args }) => args');
        for (const type of [
          'text/plain',
          'application/xml',
          'image/png',
          'application/json; charset=utf-16',
        ]) {
          const answer = await post(proxy, { headers: { 'Content-Type': type }, body: '{}' });
          expectProblem(answer, 415, /request transform/);
        }
        expect(destination.received).to.have.length(0);
      });

      it('the body is too large', async () => {
        const proxy = await onRequest('({ args }) => args');
        expectProblem(await post(proxy, { body: { a: 'x'.repeat(1_100_000) } }), 413, /at most/);
        const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
        const bomb = gzipSync(JSON.stringify({ a: 'x'.repeat(3_000_000) }));
        expectProblem(await post(proxy, { headers, body: bomb }), 413, /at most/);
        expect(destination.received).to.have.length(0);
      });

      it('the body is no JSON', async () => {
        const proxy = await onRequest('({ args }) => args');
        const headers = { 'Content-Type': 'application/json' };
        expect((await post(proxy, { headers, body: '{"a":1},"path":"x"' })).status).to.equal(400);
        expect(destination.received).to.have.length(0);
      });
    });

    it('may return what HTTP can carry up to a full megabyte', async () => {
      const proxy = await onRequest('({ args }) => args');
      const text = 'é'.repeat(500_000);
      expect((await post(proxy, { body: { text } })).status).to.equal(200);
      expect(onlyJson()).to.deep.equal({ text });
    });
  });

  describe('of a response', () => {
    it('gets body and headers, and what it returns is answered with the destination’s status', async () => {
      answering(
        'application/json',
        '{"card":"4242","keep":[1]}',
        { 'X-Dest': 'd', 'Set-Cookie': ['a=1', 'b=2'] },
        201,
      );
      const proxy = await onResponse(
        `({ args, configuration }) => ({
          headers: { ...args.headers, 'X-Added': configuration.K, 'x!': '1' },
          body: { keep: args.body.keep, keys: Object.keys(args).sort(), cookies: args.headers['Set-Cookie'] },
        })`,
        { configuration: { K: 'configured' } },
      );
      const answer = await post(proxy);
      expect(answer.status).to.equal(201);
      expect(answer.json).to.deep.equal({ keep: [1], keys: ['body', 'headers'], cookies: ['a=1', 'b=2'] });
      expect(answer.headers).to.include({
        'x-dest': 'd',
        'x-added': 'configured',
        'x!': '1',
        'content-type': 'application/json',
        'svc-proxy-destination-status': '201',
      });
      expect(answer.headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
      expect(answer.headers['content-length']).to.equal(String(Buffer.byteLength(answer.text)));
    });

    it('gets a form as an object', async () => {
      answering(form, 'a=1&a=2&b=%20');
      const proxy = await onResponse('({ args }) => args');
      const answer = await post(proxy);
      expect(answer.text).to.equal('a=1&a=2&b=+');
      expect(answer.headers['content-type']).to.equal(form);
    });

    it('replaces the headers', async () => {
      answering('application/json', '{}', { 'X-Secret': 's' });
      const answer = await post(await onResponse('() => ({ body: { a: 1 } })'));
      expect(answer.headers).to.not.have.property('x-secret');
      expect(answer.headers['content-type']).to.equal('application/json');
      expect(answer.text).to.equal('{"a":1}');
    });

    it('may return nothing, and gets no body where there is none', async () => {
      const proxy = await onResponse("({ args }) => ({ headers: { 'X-Had': String('body' in args) } })");
      for (const [status, body] of [
        [204, ''],
        [200, ''],
        [200, '{"a":1}'],
      ] as const) {
        answering(body === '' ? undefined : 'application/json', body, {}, status);
        const answer = await post(proxy);
        expect(answer.status).to.equal(status);
        expect(answer.text).to.equal('');
        expect(answer.headers['x-had']).to.equal(String(body !== ''));
      }
    });

    it('runs for successes only: every other response is passed on raw', async () => {
      const proxy = await onResponse('() => ({ body: { ran: true } })');
      for (const status of [301, 400, 404, 500, 503]) {
        answering('text/plain', `raw ${status}`, { 'X-Raw': '1' }, status);
        const answer = await post(proxy);
        expect(answer.status).to.equal(status);
        expect(answer.text).to.equal(`raw ${status}`);
        expect(answer.headers).to.include({ 'x-raw': '1', 'svc-proxy-destination-status': String(status) });
      }
    });

    const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
      gzip: (text) => gzipSync(text),
      br: (text) => brotliCompressSync(text),
      deflate: (text) => deflateSync(text),
      zstd: (text) => zstdCompressSync(text),
      identity: (text) => Buffer.from(text),
    };
    for (const [coding, encode] of Object.entries(encoders)) {
      it(`gets the content of a response with content-encoding ${coding}, and its own is announced rightly`, async () => {
        const plain = JSON.stringify({ text: 'ü'.repeat(1000) });
        const bytes = encode(plain);
        const encoded = { 'Content-Encoding': coding, 'Content-Length': String(bytes.length) };
        answering('application/json', bytes, encoded);
        const proxy = await onResponse(
          "({ args }) => ({ headers: args.headers, body: { ...args.body, more: 'x'.repeat(5000) } })",
        );
        const answer = await post(proxy);
        expect(answer.json).to.deep.equal({ text: 'ü'.repeat(1000), more: 'x'.repeat(5000) });
        expect(answer.headers).to.not.have.property('content-encoding');
        expect(answer.headers['content-length']).to.equal(String(Buffer.byteLength(answer.text)));
      });
    }

    describe('that fails shows nothing of the destination’s response:', () => {
      const canary = 'canary-of-the-destination';
      const failures: [
        what: string,
        code: string,
        type: string,
        body: string | Buffer,
        status: number,
        RegExp,
      ][] = [
        ['it throws', "() => { throw new Error('nope'); }", 'application/json', `"${canary}"`, 500, /nope/],
        ['it is no function', '1', 'application/json', `"${canary}"`, 422, /must be a function/],
        ['it returns text', "() => 'x'", 'application/json', `"${canary}"`, 500, /returned a string/],
        ['the type is another', '({ args }) => args', 'text/plain', canary, 415, /response transform/],
        ['the type is missing', '({ args }) => args', '', canary, 415, /response transform/],
        ['the JSON is none', '({ args }) => args', 'application/json', `{"${canary}"`, 502, /not valid/],
        [
          'it is too large',
          '({ args }) => args',
          'application/json',
          JSON.stringify(canary.repeat(50_000)),
          502,
          /larger than/,
        ],
      ];
      for (const [what, code, type, body, status, text] of failures) {
        it(what, async () => {
          answering(type === '' ? undefined : type, body, { 'X-Canary': canary });
          const answer = await post(await onResponse(code));
          expectProblem(answer, status, text);
          expect(JSON.stringify([answer.text, answer.headers])).to.not.include(canary);
          expect(destination.received).to.have.length(1);
        });
      }

      it('it cannot be decoded', async () => {
        const proxy = await onResponse('({ args }) => args');
        const cases: readonly (readonly [string, string | Buffer])[] = [
          ['gzip', `"${canary}"`],
          ['unheard-of', `"${canary}"`],
          ['gzip', gzipSync(JSON.stringify(canary.repeat(100_000)))],
        ];
        for (const [coding, body] of cases) {
          answering('application/json', body, { 'Content-Encoding': coding });
          const answer = await post(proxy);
          expectProblem(answer, 502, /Content-Encoding/);
          expect(answer.text).to.not.include(canary);
        }
      });

      it('it returns a body where there can be none', async () => {
        answering(undefined, '', {}, 204);
        expectProblem(await post(await onResponse('() => ({ body: { a: 1 } })')), 500, /a 204 has none/);
      });

      it('it answers by itself', async () => {
        answering('application/json', `"${canary}"`);
        const proxy = await onResponse(
          "() => { throw Object.assign(new Error(), { name: 'CustomHttpResponseError', status: 200, body: 'own' }); }",
        );
        const answer = await post(proxy);
        expect(answer).to.include({ status: 200, text: 'own' });
        expect(answer.headers).to.not.have.property('svc-proxy-destination-status');
      });
    });
  });

  it('on both sides, with expressions, each with its own code', async () => {
    const id = await api.token({ type: 'token', data: 'value' });
    destination.answer = (received, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(received.body);
    };
    const proxy = await api.proxy(destination.url, {
      request_transform: { code: 'module.exports = ({ args }) => ({ ...args, body: { in: args.body } })' },
      response_transform: { code: 'module.exports = ({ args }) => ({ ...args, body: { out: args.body } })' },
    });
    expect((await post(proxy, { body: { t: `{{${id}}}` } })).json).to.deep.equal({
      out: { in: { t: 'value' } },
    });
  });

  it('of the response leaves a streamed request alone', async () => {
    const proxy = await onResponse('({ args }) => ({ body: args.body })');
    const body = Buffer.alloc(3_000_000, 'x');
    const answer = await post(proxy, { headers: { 'Content-Type': 'application/octet-stream' }, body });
    expect(answer.json).to.deep.equal({ ok: true });
    expect(only().body.equals(body)).to.equal(true);
  });

  it('takes effect when it is changed, together with its configuration, and ends when it is removed', async () => {
    const create = (n: number) => ({
      name: 'story',
      destination_url: destination.url,
      request_transform: {
        code: `module.exports = ({ configuration }) => ({ body: { n: ${n}, configuration } })`,
      },
      configuration: { K: `k${n}` },
    });
    const proxy = await api.proxy(destination.url, create(0));
    const seen = async () => {
      expect((await post(proxy, { body: { raw: true } })).status).to.be.oneOf([200, 503]);
      return JSON.parse(destination.received.at(-1)?.body.toString() ?? 'null') as Json;
    };
    for (let n = 1; n <= 5; n += 1) {
      expect((await api.manage('PUT', `/proxies/${proxy.id}`, create(n))).status).to.equal(200);
      await until(`version ${n} of the code runs`, async () => {
        const { n: ran, configuration } = await seen();
        expect(configuration, 'code and configuration are of one version').to.deep.equal({ K: `k${ran}` });
        return ran === n;
      });
    }
    const { request_transform: _, ...plain } = create(6);
    await api.manage('PUT', `/proxies/${proxy.id}`, plain);
    await until('it is forwarded as it is', async () => (await seen()).raw === true);
  });
});
