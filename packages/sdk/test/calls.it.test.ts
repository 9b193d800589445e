import { Glovebox } from '@glovebox/sdk/glovebox';
import { expect } from 'chai';

import { model } from './call-values.ts';
import { dataCalls } from './data-calls.ts';
import { managementCalls } from './management-calls.ts';
import { type TestServer, startServer } from './server.ts';
import { versionCalls } from './version-calls.ts';

describe('the client makes the calls of the table', () => {
  let server: TestServer;
  let client: Glovebox;
  beforeEach(async () => {
    server = await startServer();
    client = await new Glovebox().init('key_1', { apiBaseUrl: server.url });
  });
  afterEach(() => server[Symbol.asyncDispose]());

  for (const [service, rows] of Object.entries({ ...dataCalls, ...managementCalls, ...versionCalls })) {
    describe(service, () => {
      for (const [name, row] of Object.entries(rows)) {
        it(name, async () => {
          server.answer = () => (row.answers === undefined ? { status: 204 } : { body: row.answers });
          expect(await row.call(client)).to.deep.equal(row.gives);
          expect(server.received).to.have.length(1);
          const { method, url, headers, body } = server.received[0]!;
          expect(`${method} ${url}`).to.equal(row.is);
          expect(headers['svc-api-key']).to.equal('key_1');
          expect(headers.accept).to.equal('application/json, text/plain, */*');
          if (row.sent === undefined) {
            expect(body).to.equal('');
            expect(headers).not.to.have.property('content-type');
          } else {
            const type = row.type ?? 'application/json';
            expect(headers['content-type']).to.equal(type);
            expect(type.includes('json') ? JSON.parse(body) : body).to.deep.equal(row.sent);
          }
        });
      }
    });
  }

  it('with the response headers of a proxy when they are wanted', async () => {
    server.answer = () => ({ body: [1], headers: { 'X-One': 'a' } });
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const { data, headers } = await client.proxy[method]({ includeResponseHeaders: true });
      expect(data).to.deep.equal([1]);
      expect(headers).to.include({ 'x-one': 'a' });
    }
  });

  it('for both versions that a difference is of', async () => {
    server.answer = ({ url }) => ({
      body: {
        version: Number(url.at(-1)),
        definition: { destination_url: `https://v${url.at(-1)}.example.org` },
      },
    });
    expect(await client.proxies.versions.diff('p', 1, 3)).to.deep.equal({
      from: 1,
      to: 3,
      differences: [
        {
          path: 'destinationUrl',
          change: 'changed',
          before: 'https://v1.example.org',
          after: 'https://v3.example.org',
        },
      ],
    });
    expect(server.received.map(({ url }) => url).toSorted()).to.deep.equal([
      '/proxies/p/versions/1',
      '/proxies/p/versions/3',
    ]);
  });

  it('with a dry run where that is wanted, whose answer stays as it is', async () => {
    const body = { dry_run: true, outcome: 'would_send', steps: [{ name: 'resolve', duration_ms: 1 }] };
    server.answer = () => ({ body });
    expect(await client.proxy.post({ body: {}, dryRun: true })).to.deep.equal(body);
    expect(await client.reactors.react('r', { args: {} }, { dryRun: true })).to.deep.equal(body);
    await client.reactors.react('r');
    const sent = server.received.map(({ headers }) => headers['svc-dry-run']);
    expect(sent).to.deep.equal(['true', 'true', undefined]);
  });

  it('with code that is tried, whose event and result are not converted', async () => {
    server.answer = () => ({ body: { outcome: 'returned', result: { some_name: 1 }, duration_ms: 2 } });
    const model = { code: 'x', event: { args: { aB: 1 } }, configuration: { cD: 'e' } };
    for (const one of [client.proxies, client.reactors, client.reactorFormulas]) {
      expect(await one.try(model)).to.deep.equal({
        outcome: 'returned',
        result: { some_name: 1 },
        durationMs: 2,
      });
    }
    expect(server.received.map(({ url }) => url)).to.deep.equal([
      '/proxies/try',
      '/reactor-formulas/try',
      '/reactor-formulas/try',
    ]);
    expect(JSON.parse(server.received[0]!.body)).to.deep.equal(model);
  });

  it('with the version that a write may replace, and why it is made', async () => {
    await client.proxies.patch('p', {}, { ifMatch: 3, comment: 'Für 😀' });
    await client.reactors.versions.restore('r', 1, { ifMatch: '*' });
    const [patch, restore] = server.received.map(({ headers }) => headers);
    expect(patch).to.include({ 'if-match': '"3"' });
    expect(Buffer.from(String(patch?.['svc-comment']), 'latin1').toString()).to.equal('Für 😀');
    expect(restore).to.include({ 'if-match': '*' }).and.not.to.have.property('svc-comment');
  });

  it('with the options of the one call', async () => {
    const options = { apiKey: 'key_2', correlationId: 'trace-1', idempotencyKey: 'once-1' };
    const expected = { 'svc-api-key': 'key_2', 'svc-trace-id': 'trace-1', 'svc-idempotency-key': 'once-1' };
    await client.tokens.create(model, options);
    await client.tokens.delete('a', options);
    await client.tokenize({}, options);
    await client.reactors.react('r', { args: {} }, options);
    await client.proxy.post({ body: {}, ...options });
    for (const { headers } of server.received) expect(headers).to.include(expected);
    await client.tokens.delete('a');
    expect(server.received.at(-1)!.headers).not.to.have.any.keys('svc-trace-id', 'svc-idempotency-key');
    expect(server.received.at(-1)!.headers['svc-api-key']).to.equal('key_1');
  });

  it('and says what it is', async () => {
    const appInfo = { name: 'Shöp', version: '1.2', url: 'https://shop.example' };
    const named = await new Glovebox().init('key_1', { apiBaseUrl: server.url, appInfo });
    await named.tenants.retrieve();
    const { headers } = server.received[0]!;
    expect(headers['user-agent']).to.equal('GloveboxJS/0.2.0 (Sh?p; 1.2; https://shop.example)');
    expect(JSON.parse(String(headers['svc-client-user-agent']))).to.deep.equal({
      client: 'glovebox-js',
      client_version: '0.2.0',
      os_version: process.platform,
      runtime_version: process.version,
      application: { ...appInfo, name: 'Sh?p' },
    });
  });
});
