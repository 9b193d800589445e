import type { TLSSocket } from 'node:tls';

import { expect } from 'chai';

import {
  type TestServer,
  certificate,
  certificateFile,
  http,
  https,
  key,
  listen,
  sendText,
} from './http-servers.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

describe('TLS of user code', () => {
  let runner: TestRunner;
  let untrusting: TestRunner;
  let server: TestServer;
  before(async () => {
    runner = await startTestRunner({ egress: { caFile: certificateFile }, limits: { wallMs: 10_000 } });
    untrusting = await startTestRunner({ limits: { wallMs: 10_000 } });
    const options = { requestCert: true, rejectUnauthorized: false, ca: certificate };
    server = await listen(
      https((request, response) => {
        const socket = request.socket as TLSSocket;
        response.end(JSON.stringify([socket.servername, socket.authorized, request.headers.host]));
      }, options),
      'https',
    );
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await untrusting[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const code = (body: string) => `${sendText}module.exports = async (req) => {\n${body}\n};`;

  it('is verified whatever code asks for, and says so', async () => {
    const found = await untrusting.run(
      code(`
        const options = { rejectUnauthorized: false, checkServerIdentity: () => undefined };
        process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
        return [await told(send('${server.url}')), await told(send('${server.url}', options)),
          await told(send('${server.url}', { agent: new (require('https').Agent)(options) }))];`),
    );
    const verified = ' (certificates are always verified here: rejectUnauthorized has no effect)';
    expect(found).to.deep.equal(
      ['', verified, verified].map((more) => ({
        message: `self signed certificate${more}`,
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      })),
    );
  });

  it('fails as in Node.js 16 with who does not speak it, and tells nothing of this process', async () => {
    await using plain = await listen(http((_request, response) => response.end()));
    const [error] = (await runner.run(
      code(`return [await told(send('https://localhost:${plain.port}/'))];`),
    )) as [Record<string, unknown>];
    const message =
      'write EPROTO error:0A00010B:SSL routines:tls_validate_record_header:wrong version number';
    expect(error).to.deep.equal({ message, code: 'EPROTO', errno: -71, syscall: 'write' });
  });

  it("is with the URL's host, whatever servername and Host header say", async () => {
    await using other = await listen(
      https((_request, response) => response.end()),
      'https',
      '127.0.0.2',
    );
    const found = await runner.run(
      code(`
        const options = { servername: 'other.test', headers: { Host: 'other.test' } };
        const [, body] = await send('${server.url}', options);
        return [JSON.parse(body), await told(send('https://127.0.0.2:${other.port}', { servername: 'localhost' }))];`),
    );
    expect(found).to.deep.equal([
      ['localhost', false, 'other.test'],
      {
        message:
          "Hostname/IP does not match certificate's altnames: IP: 127.0.0.2 is not in the cert's list: 127.0.0.1",
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      },
    ]);
  });

  it('may trust an authority of its own, and be refused by a check of its own', async () => {
    const found = await untrusting.run(
      code(`
        const { ca } = req;
        const [, body] = await send('${server.url}', { ca });
        const pinned = { ca: [Buffer.from(ca)], checkServerIdentity: (host, { fingerprint256 }) => new Error(host + ' ' + typeof fingerprint256) };
        return [JSON.parse(body)[0], await told(send('${server.url}', pinned)), await told(send('${server.url}'))];`),
      { ca: certificate },
    );
    expect(found).to.deep.equal([
      'localhost',
      { message: 'localhost string' },
      { message: 'self signed certificate', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ]);
  });

  it('shows a certificate to those connections that were given it only', async () => {
    const found = await runner.run(
      code(`
        const agent = new (require('https').Agent)({ cert: req.cert, key: [{ pem: req.key }] });
        const bodies = [];
        for (const options of [{}, { agent }, {}, { cert: req.cert, key: Buffer.from(req.key) }, {}])
          bodies.push(JSON.parse((await send('${server.url}', options))[1])[1]);
        return bodies;`),
      { cert: certificate, key },
    );
    expect(found).to.deep.equal([false, true, false, true, false]);
  });

  it('fails at once with credentials that are none', async () => {
    const found = await runner.run(
      code(`
        const wrong = [{ cert: 'x', key: 'y' }, { ca: 'nothing' }, { pfx: Buffer.from('z'), passphrase: 'p' }];
        return Promise.all(wrong.map((options) => told(send('${server.url}', options)).then((error) => typeof error === 'object')));`),
    );
    expect(found).to.deep.equal([true, true, true]);
  });
});
