import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { sharedSystem } from '../harness/system.ts';

/** contract/proxies.md#invocation; what transforms do is in transforms.test.ts. */
describe('the body of a proxied request', () => {
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

  const bodies: readonly (readonly [what: string, type: string, sent: string, arrives: string])[] = [
    [
      'nested JSON',
      'application/json',
      '{"a":[{"b":"{{ID}}"}],"n":1e400}',
      '{"a":[{"b":"v\\"1"}],"n":1e400}',
    ],
    ['mixed text in JSON', 'application/json', '{"a":"<{{ID}}|{{ ID }}>"}', '{"a":"<v\\"1|v\\"1>"}'],
    ['a +json type', 'application/vnd.api+json', '["{{ID}}"]', '["v\\"1"]'],
    ['escaped braces in JSON', 'application/json', '["\\u007b{ID}}"]', '["v\\"1"]'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1&b[c]=%7B%7BID%7D%7D', 'a=1&b[c]=v%221'],
    ['XML', 'application/xml', '<a>{{ID}}</a>', '<a>v"1</a>'],
    ['text', 'text/plain', 'x {{ID}} y', 'x v"1 y'],
    ['a type of its own', 'SALEM05210/SLM', '000{{ID}}000', '000v"1000'],
    ['keys of JSON, which are not evaluated', 'application/json', '{"{{x}}":"{{ID}}"}', '{"{{x}}":"v\\"1"}'],
  ];
  for (const [what, type, sent, arrives] of bodies) {
    it(`is detokenized in ${what}`, async () => {
      const id = await api.token({ type: 'token', data: 'v"1' });
      const { key } = await api.proxy(destination.url);
      const body = sent.replaceAll('ID', id);
      const answer = await api.invoke(key, 'POST', '', { headers: { 'Content-Type': type }, body });
      expect(answer.status, answer.text).to.equal(200);
      expect(String(only().body)).to.equal(arrives);
      expect(only().headers).to.include({
        'content-type': type,
        'content-length': String(Buffer.byteLength(arrives)),
      });
    });
  }

  it('takes a whole object, a number or null in place of a string that is one expression', async () => {
    const object = await api.token({ type: 'token', data: { a: [1, null, { b: 'c' }] } });
    const number = await api.token({ type: 'token', data: 12.5 });
    const { key } = await api.proxy(destination.url);
    const body = {
      o: `{{${object}}}`,
      n: `{{${number}}}`,
      z: `{{ ${object} | json: '$.missing' }}`,
      t: `-{{${object}}}`,
    };
    expect((await api.invoke(key, 'POST', '', { body })).status).to.equal(200);
    expect(JSON.parse(String(only().body))).to.deep.equal({
      o: { a: [1, null, { b: 'c' }] },
      n: 12.5,
      z: null,
      t: '-{"a":[1,null,{"b":"c"}]}',
    });
  });

  it('uses a card as documented (contract/examples.md#worked-examples)', async () => {
    const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
    const id = await api.token({ type: 'card', data });
    const { key } = await api.proxy(`${destination.url}/api`);
    const answer = await api.invoke(key, 'POST', '/charges?ref=1', {
      headers: { Authorization: 'Bearer dest' },
      body: {
        pan: `{{ ${id} | json: '$.number' }}`,
        mm: `{{ ${id} | json: '$.expiration_month' | to_number }}`,
        card: `{{ ${id} }}`,
        note: `for {{ ${id} | json: '$.number' | last4 }}`,
      },
    });
    expect(answer.json).to.deep.equal({ ok: true });
    expect(only().url).to.equal('/api/charges?ref=1');
    expect(JSON.parse(String(only().body))).to.deep.equal({
      pan: '4242424242424242',
      mm: 12,
      card: data,
      note: 'for 4242',
    });
  });

  it('is found inside a Content-Encoding, and sent without it when it was changed', async () => {
    const id = await api.token({ type: 'token', data: 'plain' });
    const { key } = await api.proxy(destination.url);
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
    const changed = gzipSync(`{"a":"{{${id}}}"}`);
    expect((await api.invoke(key, 'POST', '', { headers, body: changed })).status).to.equal(200);
    expect(String(destination.received[0]?.body)).to.equal('{"a":"plain"}');
    expect(destination.received[0]?.headers).to.not.have.property('content-encoding');
    const kept = gzipSync('{"a":"no expression"}');
    expect((await api.invoke(key, 'POST', '', { headers, body: kept })).status).to.equal(200);
    expect(destination.received[1]?.body.equals(kept)).to.equal(true);
    expect(destination.received[1]?.headers).to.have.property('content-encoding', 'gzip');
  });

  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
  for (const [coding, encode] of Object.entries(codings)) {
    it(`of which a few bytes stand for megabytes is a 413, and is not sent: ${coding}`, async () => {
      const { key } = await api.proxy(destination.url);
      const headers = { 'Content-Encoding': coding, 'Content-Type': 'application/json' };
      const bomb = encode(Buffer.from(JSON.stringify(' '.repeat(9_900_000))));
      expect(bomb.length).to.be.lessThan(10_000);
      const answer = await api.invoke(key, 'POST', '', { headers, body: bomb });
      expect(answer.status, answer.text).to.equal(413);
      expect(answer.json).to.have.nested.property('proxy_error.status', 413);
      expect(answer.text).to.include('at most 100 times as large');
      expect(destination.received).to.have.length(0);
      const ordinary = JSON.stringify(Array.from({ length: 2000 }, (_, at) => ({ at, name: 'a name' })));
      const sent = { headers, body: encode(Buffer.from(ordinary)) };
      expect((await api.invoke(key, 'POST', '', sent)).status).to.equal(200);
    });
  }

  it('may begin with a byte order mark, where JSON is read: .NET writes one', async () => {
    const id = await api.token({ type: 'token', data: 'plain' });
    const code = 'module.exports = async ({ args }) => ({ body: [args.body], headers: args.headers });';
    const { key } = await api.proxy(destination.url);
    const transforming = await api.proxy(destination.url, { request_transform: { code } });
    const sent = (text: string) => ({
      headers: { 'Content-Type': 'application/json' },
      body: `\uFEFF${text}`,
    });
    const invocations = [
      [key, '{"a":"no expression"}', '\uFEFF{"a":"no expression"}'],
      [key, `{"a":"{{${id}}}"}`, '{"a":"plain"}'],
      [transforming.key, `{"a":"{{${id}}}"}`, '[{"a":"plain"}]'],
    ] as const;
    for (const [proxyKey, text, arrives] of invocations) {
      const answer = await api.invoke(proxyKey, 'POST', '', sent(text));
      expect(answer.status, answer.text).to.equal(200);
      const { body, headers } = destination.received.pop()!;
      expect(body.toString()).to.equal(arrives);
      expect(headers['content-length']).to.equal(String(body.length));
    }
  });

  it('of a binary type is passed on byte for byte, whatever is in it', async () => {
    const { key } = await api.proxy(destination.url);
    const body = Buffer.from([0, 255, 0x7b, 0x7b, 0x61, 0x7d, 0x7d, 10, 13, 200]);
    const headers = { 'Content-Type': 'application/octet-stream' };
    expect((await api.invoke(key, 'POST', '', { headers, body })).status).to.equal(200);
    expect(only().body.equals(body)).to.equal(true);
  });

  it('of 50 MB without expressions streams through', async () => {
    const { key } = await api.proxy(destination.url);
    const body = Buffer.alloc(50 * 1024 * 1024, 'abcdefgh{ }');
    const headers = { 'Content-Type': 'text/plain' };
    expect((await api.invoke(key, 'POST', '', { headers, body })).status).to.equal(200);
    expect(only().body.equals(body)).to.equal(true);
  });

  it('too large to be searched is never delivered whole with an expression in it', async () => {
    const { key } = await api.proxy(destination.url);
    const body = Buffer.concat([Buffer.alloc(12 * 1024 * 1024, 'x'), Buffer.from('{{id}}')]);
    const answer = await api.invoke(key, 'POST', '', { headers: { 'Content-Type': 'text/plain' }, body });
    expect(answer.status).to.equal(413);
    expect(answer.json.proxy_error.status).to.equal(413);
    expect(destination.received).to.have.length(0);
  });
});
