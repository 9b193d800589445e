import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import * as zlib from 'node:zlib';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import type { Proxy } from '@glovebox/protos/published/v1/published';
import { expect } from 'chai';

import { type Stage, startStage } from './stage.ts';

const pan = '4242424242424242';
const stars = '*'.repeat(16);
const json = { 'Content-Type': 'application/json' };

const codings: Readonly<
  Record<string, { encode: (bytes: Buffer) => Buffer; decode: (bytes: Buffer) => Buffer }>
> = {
  gzip: { encode: (bytes) => zlib.gzipSync(bytes), decode: (bytes) => zlib.gunzipSync(bytes) },
  'x-gzip': { encode: (bytes) => zlib.gzipSync(bytes), decode: (bytes) => zlib.gunzipSync(bytes) },
  deflate: { encode: (bytes) => zlib.deflateSync(bytes), decode: (bytes) => zlib.inflateSync(bytes) },
  br: {
    encode: (bytes) => zlib.brotliCompressSync(bytes),
    decode: (bytes) => zlib.brotliDecompressSync(bytes),
  },
  zstd: {
    encode: (bytes) => zlib.zstdCompressSync(bytes),
    decode: (bytes) => zlib.zstdDecompressSync(bytes),
  },
};

describe('the leak guard of a proxy', () => {
  let redis: RunningRedis;
  let stage: Stage;
  /** Answers for the destination, with the body that it got. */
  let answer: (response: ServerResponse, body: Buffer) => void;
  let destinationUrl: string;
  const destination = createServer((request, response) => {
    void buffer(request).then((body) => answer(response, body));
  });

  before(async () => {
    redis = await startRedis({ ephemeral: true });
    stage = await startStage(redis.url, { VAULT_TIMEOUT_MS: '1000', RUNNER_TIMEOUT_MS: '1000' });
    await once(destination.listen(0, '127.0.0.1'), 'listening');
    destinationUrl = `http://127.0.0.1:${(destination.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    fills([JSON.stringify(pan)]);
    answer = (response, body) =>
      response.writeHead(200, { ...json, 'Content-Length': body.length }).end(body);
  });

  after(async () => {
    destination.close().closeAllConnections();
    await stage[Symbol.asyncDispose]();
    await redis.stop();
  });

  /** The vault's answer to each request. */
  function fills(values: string[], readable: boolean[] = []): void {
    stage.vault.answer = () => ({ $case: 'detokenized', value: { values, readable, unselectedPaths: [] } });
  }

  const send = (
    responseGuard: string,
    options: Partial<Proxy> = {},
    sent: Parameters<Stage['send']>[1] = {},
  ) => stage.send({ destinationUrl, responseGuard, ...options }, sent);

  const leakCount = async (mode: string) => {
    const text = await (await fetch(`http://127.0.0.1:${stage.gateway.internalPort}/metrics`)).text();
    return Number(new RegExp(`glovebox_response_leaks_total\\{.*mode="${mode}".*\\} (\\d+)`).exec(text)?.[1]);
  };

  it('reports an answer that holds a value, by default too, and passes it on unchanged', async () => {
    const before = await leakCount('report');
    for (const mode of ['report', '']) {
      const { status, headers, body } = await send(mode);
      expect(status).to.equal(200);
      expect(body).to.equal(`{"pan":"${pan}"}`);
      expect(headers).to.include({ 'svc-guard': 'leak', 'content-length': String(body.length) });
    }
    expect(await leakCount('report')).to.equal(before + 2);
  });

  it('masks it with as many bytes, wherever it is cut', async () => {
    const parts = ['{"pan":"4242', '424', '2424', '24242', '","as":"4242-4242 ', '42424242"}'];
    const { length } = parts.join('');
    answer = (response) => {
      response.writeHead(200, { 'X-Echo': `card ${pan}!`, 'Content-Length': length });
      void (async () => {
        for (const part of parts) {
          response.write(part);
          await delay(10);
        }
        response.end();
      })();
    };
    const { status, headers, body } = await send('mask');
    expect(status).to.equal(200);
    expect(body).to.equal(`{"pan":"${stars}","as":"${'*'.repeat(18)}"}`);
    expect(headers).to.include({ 'x-echo': `card ${stars}!`, 'content-length': String(length) });
    expect(headers).not.to.have.property('svc-guard');
  });

  it('refuses it with 502, and cuts the connection of an answer that has begun', async () => {
    const refused = await send('refuse');
    expect(refused.status).to.equal(502);
    expect(JSON.parse(refused.body).proxy_error).to.include({ code: 'response_leaks_value', status: 502 });
    expect(refused.body).not.to.contain(pan);
    answer = (response) =>
      response.writeHead(200, 'OK', { 'X-Echo': Buffer.from(pan).toString('base64') }).end('ok');
    expect((await send('refuse')).status).to.equal(502);

    answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      void delay(100).then(() => response.end(`data: ${pan}\n\n`));
    };
    const seen: string[] = [];
    const cut = await stage
      .send({ destinationUrl, responseGuard: 'refuse' }, { onData: (chunk) => seen.push(chunk.toString()) })
      .catch((error: unknown) => error);
    expect(cut).to.be.instanceOf(Error);
    expect(seen.join('')).to.equal('data: 1\n\n');
  });

  for (const [coding, { encode, decode }] of Object.entries(codings)) {
    it(`looks into ${coding}, and writes what it masks in the same coding`, async () => {
      answer = (response, body) => {
        const bytes = encode(body);
        response
          .writeHead(200, { ...json, 'Content-Encoding': coding, 'Content-Length': bytes.length })
          .end(bytes);
      };
      const reported = await send('report');
      expect(reported.headers).to.include({ 'svc-guard': 'leak', 'content-encoding': coding });
      expect(decode(reported.bytes).toString()).to.equal(`{"pan":"${pan}"}`);
      const masked = await send('mask');
      expect(masked.headers).to.include({ 'content-encoding': coding });
      expect(masked.headers).not.to.have.property('content-length');
      expect(decode(masked.bytes).toString()).to.equal(`{"pan":"${stars}"}`);
      expect((await send('refuse')).status).to.equal(502);
    });
  }

  it('passes or refuses what it cannot look into: unknown codings, broken content, and bombs', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(30 * 1024 * 1024));
    const bodies: readonly (readonly [coding: string, body: Buffer])[] = [
      ['rot13', Buffer.from('uryyb')],
      ['gzip, br', Buffer.from('hello')],
      ['gzip', Buffer.from('this is no gzip')],
      ['gzip', bomb],
    ];
    for (const [coding, body] of bodies) {
      answer = (response) => {
        response.writeHead(200, { 'Content-Encoding': coding, 'Content-Length': body.length }).end(body);
      };
      const reported = await send('report');
      expect(reported.status, coding).to.equal(200);
      expect(reported.bytes.equals(body), coding).to.equal(true);
      for (const mode of ['mask', 'refuse']) {
        const { status } = await send(mode).catch(() => ({ status: 'cut' as const }));
        expect(status, `${mode} ${coding}`).to.be.oneOf([502, 'cut']);
      }
    }
  });

  it('leaves answers without a body as they are, and masks their headers', async () => {
    for (const status of [204, 304]) {
      answer = (response) =>
        response.writeHead(status, { ETag: `"${pan}"`, 'Content-Encoding': 'gzip' }).end();
      const masked = await send('mask');
      expect(masked.status).to.equal(status);
      expect(masked.headers).to.include({ etag: `"${stars}"`, 'content-encoding': 'gzip' });
      expect((await send('report')).headers).to.include({ 'svc-guard': 'leak' });
    }
  });

  it('looks for each text and number of an object, however deep, and for nothing shorter', async () => {
    fills([`{"number":"${pan}","cvc":"123","more":[{"iban":98765432109876543210}]}`]);
    answer = (response) => response.writeHead(200).end(`${pan} 123 98765432109876543210`);
    expect((await send('mask')).body).to.equal(`${stars} 123 ${'*'.repeat(20)}`);
  });

  it('passes over what the caller may read, and what the request holds in plain', async () => {
    const clean = async (options: Parameters<Stage['send']>[1] = {}) => {
      const { status, headers, body } = await send('mask', {}, options);
      expect(status).to.equal(200);
      expect(headers).not.to.have.property('svc-guard');
      return body;
    };
    const plain = `{"pan":"{{ 1 }}","note":"card 4242 4242 4242 4242"}`;
    expect(await clean({ body: plain })).to.contain(pan);
    expect(await clean({ headers: { 'X-Card': pan } })).to.contain(pan);
    fills([JSON.stringify(pan)], [true]);
    expect(await clean()).to.contain(pan);
    fills([JSON.stringify(pan), '"another secret"'], [true]);
    expect(await clean({ body: '["{{ 1 }}","{{ 2 }}"]' })).to.equal(`["${pan}","${'*'.repeat(14)}"]`);
  });

  it('looks at what the caller gets: the result of a transform, or what code answers by itself', async () => {
    const responseTransformCode = 'a transform';
    const returned = (value: object) => {
      stage.runner.answer = () => ({
        $case: 'returned',
        value: { result: Buffer.from(JSON.stringify(value)) },
      });
    };
    returned({ body: { last4: '4242' }, headers: {} });
    const clean = await send('refuse', { responseTransformCode });
    expect(clean.status, clean.body).to.equal(200);
    expect(clean.body).to.equal('{"last4":"4242"}');

    returned({ body: { card: '4242-4242-4242-4242' }, headers: { 'x-card': pan } });
    const reported = await send('report', { responseTransformCode });
    expect(reported.headers).to.include({ 'svc-guard': 'leak', 'x-card': pan });
    const masked = await send('mask', { responseTransformCode });
    expect(masked.body).to.equal(`{"card":"${'*'.repeat(19)}"}`);
    expect(masked.headers).to.include({ 'x-card': stars, 'content-length': String(masked.body.length) });
    expect((await send('refuse', { responseTransformCode })).status).to.equal(502);

    stage.runner.answer = () => ({
      $case: 'responded',
      value: { status: 200, json: Buffer.from(JSON.stringify({ headers: {}, body: pan })), leaks: false },
    });
    const requestTransformCode = 'a transform';
    expect((await send('report', { requestTransformCode })).headers).to.include({ 'svc-guard': 'leak' });
    expect((await send('mask', { requestTransformCode })).body).to.equal(stars);
    expect((await send('refuse', { requestTransformCode })).status).to.equal(502);
  });

  it('looks at an answer that is no success, which passes by the transforms', async () => {
    answer = (response, body) => response.writeHead(402, json).end(body);
    const { status, body } = await send('mask', { responseTransformCode: 'a transform' });
    expect(status).to.equal(402);
    expect(body).to.equal(`{"pan":"${stars}"}`);
  });

  it('does not keep events waiting: each comes when it was sent', async () => {
    answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      void (async () => {
        for (let at = 0; at < 3; at += 1) {
          response.write(`data: ${at}\n\n`);
          await delay(150);
        }
        response.end();
      })();
    };
    for (const mode of ['report', 'mask', 'refuse']) {
      const times: number[] = [];
      await send(mode, {}, { onData: () => times.push(performance.now()) });
      expect(times).to.have.length(3);
      for (const [at, time] of times.slice(1).entries())
        expect(time - times[at]!, mode).to.be.greaterThan(75);
    }
  });

  it('gets through large bodies in every mode, byte by byte', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024, 'a harmless text of 4242 4242. ');
    const body = Buffer.concat([large, Buffer.from(` ${pan} `), large]);
    answer = (response) => response.writeHead(200, { 'Content-Length': body.length }).end(body);
    const reported = await send('report');
    expect(reported.bytes.equals(body)).to.equal(true);
    expect(reported.headers, 'found too late').not.to.have.property('svc-guard');
    const masked = await send('mask');
    expect(masked.bytes.toString()).to.equal(body.toString().replace(pan, stars));
    const cut = await send('refuse').catch((error: unknown) => error);
    expect(cut).to.be.instanceOf(Error);
  });

  it('is asked for nothing when it is off, and refuses before it sends what it could not search for', async () => {
    expect((await send('off')).headers).not.to.have.property('svc-guard');
    fills([JSON.stringify('x'.repeat(200_000))]);
    let isSent = false;
    answer = (response) => {
      isSent = true;
      response.end('ok');
    };
    for (const mode of ['mask', 'refuse']) expect((await send(mode)).status).to.equal(413);
    expect(isSent).to.equal(false);
    expect((await send('report')).status).to.equal(200);
  });
});
