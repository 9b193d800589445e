import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { sharedSystem } from '../harness/system.ts';
import { transformStory } from '../harness/transform-story.ts';

const form = 'application/x-www-form-urlencoded';

/** contract/transforms.md#code, over the whole system. */
describe('a request transform', () => {
  const story = transformStory();
  const { only, onlyJson, onRequest, post } = story;

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
    await story.api.send('POST', path, { key: dev.private_api_key, body: {} });
    expect(onlyJson().shown.args).to.include({ path: '', query: '' });
    expect(only().body.toString()).to.not.include(proxy.key);
  });

  it('gets no body of a request without one, and may give it one', async () => {
    const proxy = await onRequest(
      "async ({ args }) => ({ headers: args.headers, body: { had: 'body' in args, method: args.method } })",
    );
    for (const method of ['GET', 'DELETE', 'POST', 'PUT', 'PATCH']) {
      expect((await story.api.invoke(proxy.key, method, '')).status, method).to.equal(200);
      const { body, headers } = story.destination.received.at(-1)!;
      expect(JSON.parse(body.toString())).to.deep.equal({ had: false, method });
      expect(headers['content-type']).to.equal('application/json');
      expect(headers['content-length']).to.equal(String(body.length));
    }
  });

  it('gets any JSON value', async () => {
    const proxy = await onRequest('({ args }) => ({ body: { was: args.body } })');
    for (const value of [null, 0, -1.5, true, [], [1, 'two'], {}]) {
      await post(proxy, { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } });
      expect(JSON.parse(story.destination.received.at(-1)!.body.toString())).to.deep.equal({ was: value });
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
    const id = await story.api.token({ type: 'token', data: { number: '4242' } });
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
    expect(headers['host']).to.equal(new URL(story.destination.url).host);
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

  it('that returns empty headers and no body sends none', async () => {
    const proxy = await onRequest('() => ({ headers: {} })');
    await post(proxy, { headers: { 'X-Mine': '1' }, body: { a: 1 } });
    expect(only().body).to.have.length(0);
    expect(only().headers).to.not.have.any.keys('x-mine', 'content-type', 'transfer-encoding');
    expect(only().headers['content-length']).to.equal('0');
  });

  for (const [name, code] of [
    ['grows', "({ args }) => ({ headers: args.headers, body: { ...args.body, more: 'é'.repeat(200000) } })"],
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

  it('may return what HTTP can carry up to a full megabyte', async () => {
    const proxy = await onRequest('({ args }) => args');
    const text = 'é'.repeat(500_000);
    expect((await post(proxy, { body: { text } })).status).to.equal(200);
    expect(onlyJson()).to.deep.equal({ text });
  });
});
