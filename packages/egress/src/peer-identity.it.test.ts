import { X509Certificate } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { TLSSocket } from 'node:tls';

import { createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { expect } from 'chai';

import { http, https, record } from '../test/recording-server.ts';
import { EgressConnectFailed, EgressDenied, PinMismatch } from './egress-errors.ts';
import { createEgressPolicy } from './egress-policy.ts';
import { type DestinationTls, createGuardedDispatcher } from './guarded-dispatcher.ts';
import { publicKeyPin } from './public-key-pin.ts';

const open = '127.0.0.2';
const policy = createEgressPolicy({
  profile: 'strict',
  allowCidrs: [`${open}/32`],
  allowHosts: ['destination.test'],
});
const inAnHour = new Date(Date.now() + 3_600_000);
const authority = await createCertificateAuthority('authority of destinations');
const other = await createCertificateAuthority('another authority');
const clients = await createCertificateAuthority('authority of clients');
const serverCertificate = await authority.issue({
  uris: [],
  hosts: ['destination.test'],
  notAfter: inAnHour,
});
const clientCertificate = await clients.issue({ uris: ['urn:client'], notAfter: inAnHour });
const pin = publicKeyPin(new X509Certificate(serverCertificate.cert));
const otherPin = publicKeyPin(new X509Certificate(clientCertificate.cert));
const client = { certificate: clientCertificate.cert, key: clientCertificate.key };

type Version = 'TLSv1.2' | 'TLSv1.3';

/** A server that may demand a certificate of its clients, and answers with its name. */
function listen(more: { readonly demands?: boolean; readonly version?: Version } = {}) {
  const { demands = false, version = 'TLSv1.3' } = more;
  const answer: RequestListener = ({ socket }, response) => {
    const connection = socket as TLSSocket;
    const seen = connection.getPeerX509Certificate()?.subjectAltName ?? 'nobody';
    response.setHeader('Connection', 'close').end(connection.isSessionReused() ? 'resumed' : seen);
  };
  const certificates = { ...serverCertificate, ca: [clients.cert] };
  const demanding = { requestCert: demands, rejectUnauthorized: demands };
  return record(
    https(answer, { ...certificates, ...demanding, minVersion: version, maxVersion: version }),
    open,
  );
}

/** What comes of a number of requests, one after the other: an answer, or why there is none. */
async function ask(
  port: number,
  tls: DestinationTls | undefined,
  times = 1,
  address = open,
): Promise<string[]> {
  const dispatcher = createGuardedDispatcher({
    policy,
    resolve: async () => [address],
    ...(tls === undefined ? {} : { tls }),
  });
  const outcomes: string[] = [];
  for (let n = 0; n < times; n += 1) outcomes.push(await askOnce(dispatcher, port));
  await dispatcher.destroy();
  return outcomes;
}

async function askOnce(
  dispatcher: ReturnType<typeof createGuardedDispatcher>,
  port: number,
): Promise<string> {
  try {
    const origin = `https://destination.test:${port}`;
    const { body } = await dispatcher.request({ origin, path: '/', method: 'GET' });
    return await body.text();
  } catch (error) {
    if (error instanceof EgressDenied) return `denied: ${error.reason}`;
    if (!(error instanceof EgressConnectFailed)) throw error;
    return error.cause instanceof PinMismatch ? 'no pin' : error.stage;
  }
}

describe('a connection whose sides identify themselves', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    describe(`by ${version}`, () => {
      it('shows the certificate to a server that asks for it', async () => {
        await using server = await listen({ demands: true, version });
        const outcomes = await ask(server.port, { client, ca: authority.cert, pins: [pin] });
        expect(outcomes).to.deep.equal(['URI:urn:client']);
      });

      it('is none where the server does not take the certificate: no request reaches it', async () => {
        await using server = await listen({ demands: true, version });
        const strange = await other.issue({ uris: [], notAfter: inAnHour });
        const wrong = { certificate: strange.cert, key: strange.key };
        const outcomes = await ask(server.port, { client: wrong, ca: authority.cert, pins: [] }, 3);
        expect(outcomes).to.deep.equal(['tls', 'tls', 'tls']);
        expect(server.requests).to.deep.equal([]);
      });

      it('is checked against the pins each time, also by a server that would resume a session', async () => {
        await using server = await listen({ version });
        const fits = await ask(server.port, { ca: authority.cert, pins: [otherPin, pin] }, 3);
        expect(fits).to.deep.equal(['nobody', 'nobody', 'nobody']);
        const before = server.requests.length;
        const fitsNot = await ask(server.port, { ca: authority.cert, pins: [otherPin] }, 3);
        expect(fitsNot).to.deep.equal(['no pin', 'no pin', 'no pin']);
        expect(server.requests).to.have.lengthOf(before);
        expect(server.connections()).to.equal(6);
      });
    });
  }

  it('trusts the given authorities and no others, and a pin does not replace them', async () => {
    await using server = await listen();
    for (const ca of [other.cert, undefined]) {
      const tls = { pins: [pin], ...(ca === undefined ? {} : { ca }) };
      expect(await ask(server.port, tls)).to.deep.equal(['tls']);
    }
    expect(await ask(server.port, { ca: other.cert + authority.cert, pins: [] })).to.deep.equal(['nobody']);
    expect(server.requests).to.have.lengthOf(1);
  });

  it('is made only to addresses that the egress rules allow', async () => {
    await using server = await listen();
    const tls = { client, ca: authority.cert, pins: [pin] };
    expect(await ask(server.port, tls, 1, '127.0.0.1')).to.deep.equal(['denied: deny-loopback']);
    expect(server.connections()).to.equal(0);
  });

  it('is never one without TLS', async () => {
    await using server = await record(http(), '127.0.0.1');
    const dispatcher = createGuardedDispatcher({
      policy: createEgressPolicy({ profile: 'development' }),
      tls: { pins: [pin] },
    });
    const origin = `http://localhost:${server.port}`;
    const outcome = await dispatcher
      .request({ origin, path: '/', method: 'GET' })
      .catch((error: unknown) => error);
    expect(outcome).to.include({ stage: 'tls' });
    expect(server.requests).to.deep.equal([]);
    await dispatcher.destroy();
  });
});
