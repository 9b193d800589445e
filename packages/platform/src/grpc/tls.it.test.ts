import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { type ConnectionOptions, type TLSSocket, connect as connectTls } from 'node:tls';

import { type CertificateRequest, createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { status } from '@grpc/grpc-js';
import { expect } from 'chai';

import {
  type OpenedFiles,
  type PemFiles,
  anHourAgo,
  inAnHour,
  issueTo,
  openFiles,
  unchecked,
  uriOf,
} from '../../test/certificate-files.ts';
import {
  type EchoServer,
  EchoService,
  type LogLine,
  callerToken,
  connect,
  startEcho,
} from '../../test/grpc-echo.ts';
import type { AppError } from '../errors/app-error.ts';
import { Secret } from '../values/secret.ts';
import { type GrpcChannel, createGrpcChannel } from './client.ts';
import { unary } from './unary.ts';

const echo = { say: unary((request: { text: string }) => Promise.resolve(request)) };
const hash = (token: string) => createHash('sha256').update(token).digest('hex');
const peers = { caller: hash(callerToken), other: hash('other-token') };

/** `ok`, `unavailable`, or the name of the status that the server has answered. */
async function say(channel: GrpcChannel): Promise<string> {
  const call = channel.unary(EchoService.say, { text: 'x' }, { deadline: Date.now() + 10_000 });
  const outcome = await call.then(
    () => 'ok',
    ({ code, cause }: AppError) => (code === 'internal' ? status[(cause as { code: status }).code] : code),
  );
  channel.close();
  return outcome;
}

/** What a client gets that goes on although TLS or the service has complained: bytes, or the end of its connection. */
function handshake(
  port: number,
  options: ConnectionOptions,
  onSession: (session: Buffer) => void = () => undefined,
): Promise<TLSSocket | string> {
  return new Promise((resolve) => {
    const socket = connectTls({
      port,
      host: '127.0.0.1',
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
      ...options,
    });
    socket.on('session', onSession);
    socket.once('data', () => resolve(socket));
    socket.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
    socket.once('close', () => resolve('closed'));
  });
}

const authority = await createCertificateAuthority('the authority');
const anotherAuthority = await createCertificateAuthority('the authority');

async function issued(request: CertificateRequest, by = authority): Promise<PemFiles> {
  return { ca: authority.cert, ...(await by.issue(request)) };
}

describe('gRPC over mutual TLS: whom a server takes', () => {
  let files: OpenedFiles;
  let server: EchoServer;

  before(async () => {
    files = await openFiles('echo', await issueTo('echo', authority));
    server = await startEcho(echo, { certificates: files.certificates, peers });
  });
  after(async () => {
    await server.close();
    await files[Symbol.asyncDispose]();
  });

  /** A call with that certificate, though the client itself would not have taken it. */
  async function callWith(files: PemFiles, token = callerToken): Promise<string> {
    const tls = { peer: 'echo', certificates: unchecked(files) };
    return await say(
      createGrpcChannel({ address: `127.0.0.1:${server.port}`, token: new Secret(token), tls }),
    );
  }
  const caller = [uriOf('caller')];

  it('takes a service with its own certificate and its own token', async () => {
    expect(await callWith(await issueTo('caller', authority))).to.equal('ok');
  });

  const refused: Readonly<Record<string, () => Promise<PemFiles>>> = {
    'of another authority': () => issued({ uris: caller, notAfter: inAnHour() }, anotherAuthority),
    'that has expired': () => issued({ uris: caller, notBefore: new Date(0), notAfter: anHourAgo() }),
    'that does not hold yet': () =>
      issued({ uris: caller, notBefore: inAnHour(), notAfter: new Date(Date.now() + 7_200_000) }),
  };
  for (const [what, files] of Object.entries(refused)) {
    it(`ends the connection of a client with a certificate ${what}`, async () => {
      expect(await callWith(await files())).to.equal('unavailable');
    });
  }

  it('ends the connection of a client that speaks in plain', async () => {
    expect(await say(connect(server.port))).to.equal('unavailable');
  });

  it('ends the connection of a client without a certificate, before it can send a call', async () => {
    expect(await handshake(server.port, { ca: authority.cert })).to.match(
      /CERTIFICATE_REQUIRED|closed|ECONNRESET/,
    );
  });

  it('speaks nothing older than TLS 1.3', async () => {
    const { ca, cert, key } = await issueTo('caller', authority);
    expect(await handshake(server.port, { ca, cert, key, maxVersion: 'TLSv1.2' })).to.match(
      /PROTOCOL_VERSION/,
    );
    const socket = await handshake(server.port, { ca, cert, key });
    expect((socket as TLSSocket).getProtocol()).to.equal('TLSv1.3');
    (socket as TLSSocket).destroy();
  });

  it('gives out no session to resume, which would outlive its certificate', async () => {
    const { ca, cert, key } = await issueTo('caller', authority);
    const sessions: Buffer[] = [];
    const first = await handshake(server.port, { ca, cert, key }, (session) => sessions.push(session));
    (first as TLSSocket).destroy();
    for (const session of sessions) {
      const again = await handshake(server.port, { ca, cert, key, session });
      expect((again as TLSSocket).isSessionReused()).to.equal(false);
      (again as TLSSocket).destroy();
    }
  });

  const nobody: Readonly<Record<string, Parameters<typeof authority.issue>[0]>> = {
    'without a URI': { uris: [], hosts: ['caller'], notAfter: inAnHour() },
    'with two URIs': { uris: [uriOf('caller'), uriOf('other')], notAfter: inAnHour() },
    'of another trust domain': { uris: ['spiffe://elsewhere/caller'], notAfter: inAnHour() },
    'with more behind the name': { uris: [`${uriOf('caller')}/x`], notAfter: inAnHour() },
    'whose URI only contains the right one': {
      uris: [`spiffe://elsewhere/, URI:${uriOf('caller')}`],
      notAfter: inAnHour(),
    },
  };
  for (const [what, request] of Object.entries(nobody)) {
    it(`answers UNAUTHENTICATED to a certificate ${what}`, async () => {
      expect(await callWith(await issued(request))).to.equal('UNAUTHENTICATED');
    });
  }

  it('answers UNAUTHENTICATED to a service with another one’s token, and with none', async () => {
    expect(await callWith(await issueTo('other', authority), callerToken)).to.equal('UNAUTHENTICATED');
    expect(await callWith(await issueTo('caller', authority), 'other-token')).to.equal('UNAUTHENTICATED');
    expect(await callWith(await issueTo('caller', authority), 'unknown')).to.equal('UNAUTHENTICATED');
    const { bearer, peer } = server.lines.filter(({ msg }) => msg === 'refused a call').at(-2) as LogLine;
    expect({ bearer, peer }).to.deep.equal({ bearer: 'other', peer: 'caller' });
  });

  it('answers PERMISSION_DENIED to another service, which has proved that it is one', async () => {
    expect(await callWith(await issueTo('other', authority), 'other-token')).to.equal('PERMISSION_DENIED');
  });
});

describe('gRPC over mutual TLS: whom a client calls', () => {
  const seen: unknown[] = [];
  const watched = {
    say: unary((request: { text: string }) => {
      seen.push(request);
      return Promise.resolve(request);
    }),
  };

  /** A call to a server with a certificate that our own server would not have started with. */
  async function callTo(files: PemFiles): Promise<string> {
    await using own = await openFiles('caller', await issueTo('caller', authority));
    await using server = await startEcho(watched, { certificates: unchecked(files) });
    const tls = { peer: 'echo', certificates: own.certificates };
    return await say(
      createGrpcChannel({ address: `127.0.0.1:${server.port}`, token: new Secret(callerToken), tls }),
    );
  }

  it('calls the service that it means, at whatever address', async () => {
    expect(await callTo(await issueTo('echo', authority))).to.equal('ok');
    expect(seen.splice(0)).to.have.lengthOf(1);
  });

  const refused: Readonly<Record<string, () => Promise<PemFiles>>> = {
    'another service': () => issueTo('token-vault', authority),
    'one of another authority': async () => ({
      ...(await issueTo('echo', anotherAuthority)),
      ca: authority.cert,
    }),
    'one whose certificate has expired': () =>
      issued({ uris: [uriOf('echo')], notBefore: new Date(0), notAfter: anHourAgo() }),
    'one whose certificate has its name as that of a host only': () =>
      issued({ uris: [], hosts: ['echo', 'localhost'], notAfter: inAnHour() }),
  };
  for (const [what, files] of Object.entries(refused)) {
    it(`sends nothing to ${what}`, async () => {
      expect(await callTo(await files())).to.equal('unavailable');
      expect(seen).to.deep.equal([]);
    });
  }

  it('sends nothing to a server that speaks in plain', async () => {
    await using own = await openFiles('caller', await issueTo('caller', authority));
    const received: Buffer[] = [];
    const server = createServer((socket) =>
      socket
        .on('data', (bytes: Buffer) => received.push(bytes))
        .on('error', () => undefined)
        .end('no'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const tls = { peer: 'echo', certificates: own.certificates };
    const channel = createGrpcChannel({ address: `127.0.0.1:${port}`, token: new Secret(callerToken), tls });
    expect(await say(channel)).to.equal('unavailable');
    expect(Buffer.concat(received).toString('latin1')).not.to.contain(callerToken);
    server.close();
  });
});
