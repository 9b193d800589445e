import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { expect } from 'chai';

import { expectProblem, transformStory } from '../harness/transform-story.ts';

const form = 'application/x-www-form-urlencoded';

/** contract/transforms.md#code, over the whole system. */
describe('a response transform', () => {
  const story = transformStory();
  const { onResponse, post, answering } = story;

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
        expect(story.destination.received).to.have.length(1);
      });
    }

    it('it cannot be decoded', async () => {
      const proxy = await onResponse('({ args }) => args');
      const cases: readonly (readonly [string, string | Buffer])[] = [
        ['gzip', `"${canary}"`],
        ['unheard-of', `"${canary}"`],
        ['gzip', gzipSync(JSON.stringify(canary.repeat(100_000)))],
        // Less than a transform takes, and more than such a few bytes may become.
        ...Object.entries(encoders)
          .filter(([coding]) => coding !== 'identity')
          .map(([coding, encode]) => [coding, encode(JSON.stringify(canary.repeat(35_000)))] as const),
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
