import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { type PackageRunner, startPackageRunner } from './package-runner.ts';
import {
  type Certificate,
  type LocalServer,
  freePort,
  makeCertificate,
  sendJson,
  startServer,
} from './servers.ts';

describe('packages for HTTP', () => {
  let packages: PackageRunner;
  let server: LocalServer;
  let secure: LocalServer;
  let certificate: Certificate;
  before(async () => {
    packages = await startPackageRunner();
    certificate = await makeCertificate(packages);
    const answer: Parameters<typeof startServer>[0] = ({ method, url, headers, body }, response) => {
      if (url === '/redirect') response.writeHead(302, { location: '/json' }).end();
      else if (url === '/gzip')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"packed":true}'));
      else if (url === '/missing') sendJson(response, 404, { error: 'none' });
      else if (url === '/large') response.end(Buffer.alloc(1_000_000, 7));
      else if (url === '/silent') response.flushHeaders();
      else if (url === '/mute') return;
      else sendJson(response, 200, { method, url, body, type: headers['content-type'] ?? null });
    };
    server = await startServer(answer);
    secure = await startServer(answer, certificate);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await secure[Symbol.asyncDispose]();
    await packages[Symbol.asyncDispose]();
  });

  it('node-fetch sends, follows, unpacks, streams, times out and fails', async () => {
    const value = await packages.valueOf(
      `const fetch = require('node-fetch');
      const json = async (path, init) => (await fetch(req.url + path, init)).json();
      const posted = await json('/post', { method: 'POST', body: JSON.stringify({ pan: '4242' }),
        headers: { 'Content-Type': 'application/json' } });
      const form = await json('/form', { method: 'PUT', body: new URLSearchParams({ a: '1', b: 'ü' }) });
      const redirected = await fetch(req.url + '/redirect');
      const manual = await fetch(req.url + '/redirect', { redirect: 'manual' });
      await manual.text();
      const missing = await fetch(req.url + '/missing');
      const large = await (await fetch(req.url + '/large')).buffer();
      let streamed = 0;
      for await (const chunk of (await fetch(req.url + '/large')).body) streamed += chunk.length;
      const late = await fetch(req.url + '/silent', { timeout: 100 }).then((r) => r.text()).catch((error) => error.type);
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      const aborted = await fetch(req.url + '/silent', { signal: controller.signal }).then((r) => r.text())
        .catch((error) => error.name);
      const refused = await fetch('http://127.0.0.1:' + req.nobody).catch((error) => error.code);
      const secure = await (await fetch(req.secure + '/tls',
        { agent: new (require('https').Agent)({ ca: req.ca }) })).json();
      const untrusted = await fetch(req.secure).catch((error) => error.code);
      return [posted, form, [redirected.status, redirected.redirected, (await redirected.json()).url], manual.status,
        await json('/gzip'), [missing.ok, await missing.json()], [large.length, large[9], streamed], late, aborted, refused,
        secure.url, untrusted];`,
      { url: server.url, secure: secure.url, ca: certificate.ca, nobody: await freePort() },
    );
    expect(value).to.deep.equal([
      { method: 'POST', url: '/post', body: '{"pan":"4242"}', type: 'application/json' },
      {
        method: 'PUT',
        url: '/form',
        body: 'a=1&b=%C3%BC',
        type: 'application/x-www-form-urlencoded;charset=UTF-8',
      },
      [200, true, '/json'],
      302,
      { packed: true },
      [false, { error: 'none' }],
      [1_000_000, 7, 1_000_000],
      'body-timeout',
      'AbortError',
      'ECONNREFUSED',
      '/tls',
      'SELF_SIGNED_CERT_IN_CHAIN',
    ]);
  });

  it('axios sends, unpacks, intercepts, times out and fails', async () => {
    const value = await packages.valueOf(
      `const axios = require('axios');
      const client = axios.create({ baseURL: req.url, headers: { 'X-Common': 'c' } });
      client.interceptors.request.use((config) => ({ ...config, params: { ...config.params, added: 1 } }));
      const { data, status } = await client.post('/post', { pan: '4242' });
      const form = (await axios.post(req.url + '/form', new URLSearchParams({ a: '1' }))).data;
      const missing = await axios.get(req.url + '/missing').catch((error) =>
        [error.isAxiosError, error.code, error.response.status, error.response.data, error.message]);
      const late = await axios.get(req.url + '/mute', { timeout: 100 }).catch((error) => error.code);
      const refused = await axios.get('http://127.0.0.1:' + req.nobody).catch((error) => error.code);
      const bytes = (await axios.get(req.url + '/large', { responseType: 'arraybuffer' })).data;
      const stream = (await axios.get(req.url + '/large', { responseType: 'stream' })).data;
      let streamed = 0;
      for await (const chunk of stream) streamed += chunk.length;
      const redirected = await axios.get(req.url + '/redirect');
      const httpsAgent = new (require('https').Agent)({ ca: req.ca, keepAlive: true });
      const secure = (await axios.get(req.secure + '/tls', { httpsAgent, auth: { username: 'u', password: 'p' } })).data;
      return [data, status, form, missing, (await axios.get(req.url + '/gzip')).data, late, refused,
        [Buffer.isBuffer(bytes), bytes.length, streamed], redirected.data.url, secure.url];`,
      { url: server.url, secure: secure.url, ca: certificate.ca, nobody: await freePort() },
    );
    expect(value).to.deep.equal([
      { method: 'POST', url: '/post?added=1', body: '{"pan":"4242"}', type: 'application/json' },
      200,
      { method: 'POST', url: '/form', body: 'a=1', type: 'application/x-www-form-urlencoded;charset=utf-8' },
      [true, 'ERR_BAD_REQUEST', 404, { error: 'none' }, 'Request failed with status code 404'],
      { packed: true },
      'ECONNABORTED',
      'ECONNREFUSED',
      [true, 1_000_000, 1_000_000],
      '/json',
      '/tls',
    ]);
    expect(secure.received.at(-1)?.headers.authorization).to.equal(
      `Basic ${Buffer.from('u:p').toString('base64')}`,
    );
    expect(server.received.find(({ url }) => url === '/post?added=1')?.headers['x-common']).to.equal('c');
  });
});
