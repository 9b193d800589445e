import type { RequestListener } from 'node:http';

import { expect } from 'chai';
import type { Dispatcher } from 'undici';

import { http, https, record, recordBoth, testCertificate } from '../test/recording-server.ts';
import { EgressDenied } from './egress-errors.ts';
import { createEgressPolicy } from './egress-policy.ts';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from './guarded-dispatcher.ts';
import type { ResolveAddresses } from './resolve-addresses.ts';

/**
 * Opened by the operator, so that it stands for a public address; every other loopback address stands for an internal
 * one.
 */
const open = '127.0.0.2';
const internal = '127.0.0.1';
const allowHosts = ['destination.test'];
const strict = createEgressPolicy({ profile: 'strict', allowCidrs: [`${open}/32`], allowHosts });
const development = createEgressPolicy({ profile: 'development', allowHosts });

type Settings = Partial<GuardedDispatcherOptions>;

/** A dispatcher that trusts the test certificate, and ends with its scope. */
function guarded(settings: Settings = {}) {
  const dispatcher = createGuardedDispatcher({
    policy: strict,
    extraCaCertificates: [testCertificate],
    ...settings,
  });
  return { dispatcher, [Symbol.asyncDispose]: () => dispatcher.destroy() };
}

/** A resolver that gives the answers one after the other, and knows how often it was asked. */
function answering(...answers: readonly string[][]): ResolveAddresses & { asked: string[] } {
  const asked: string[] = [];
  const resolve = async (hostname: string) => answers[asked.push(hostname) - 1] ?? [];
  return Object.assign(resolve, { asked });
}

async function get(
  dispatcher: Dispatcher,
  origin: string,
  headers: string[] = [],
): Promise<Dispatcher.ResponseData> {
  const response = await dispatcher.request({ origin, path: '/', method: 'GET', headers });
  await response.body.dump();
  return response;
}

async function denial(request: Promise<unknown>): Promise<EgressDenied> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EgressDenied)) throw new Error('the request was not denied', { cause: error });
  return error;
}

describe('createGuardedDispatcher', () => {
  it('reaches a judged address, with the name of the URL in Host, SNI and certificate', async () => {
    await using server = await record(https(), open);
    const resolve = answering([open]);
    await using egress = guarded({ resolve });
    const { statusCode } = await get(egress.dispatcher, `https://destination.test:${server.port}`);
    expect(statusCode).to.equal(200);
    expect(resolve.asked).to.deep.equal(['destination.test']);
    const host = `destination.test:${server.port}`;
    expect(server.requests).to.deep.equal([{ host, path: '/', servername: 'destination.test' }]);
  });

  it('keeps the name of the URL in the handshake whatever a Host header says', async () => {
    await using server = await record(https(), open);
    await using egress = guarded({ resolve: answering([open]) });
    await get(egress.dispatcher, `https://destination.test:${server.port}`, ['Host', 'evil.example']);
    expect(server.requests[0]?.servername).to.equal('destination.test');
  });

  it('dials no address that a second answer smuggles in (DNS rebinding)', async () => {
    const closing: RequestListener = (_request, response) =>
      void response.setHeader('Connection', 'close').end();
    const [first, second] = await recordBoth(() => https(closing), [open, internal]);
    await using server = first;
    await using secret = second;
    const resolve = answering([open], [internal], [open]);
    await using egress = guarded({ resolve });
    const origin = `https://destination.test:${server.port}`;
    await get(egress.dispatcher, origin);
    expect(await denial(get(egress.dispatcher, origin))).to.include({
      reason: 'deny-loopback',
      address: internal,
    });
    await get(egress.dispatcher, origin);
    expect(resolve.asked).to.have.lengthOf(3);
    expect([server.connections(), secret.connections()]).to.deep.equal([2, 0]);
  });

  it('asks the resolver once per connection, so that what is judged is what is dialled', async () => {
    await using server = await record(https(), open);
    const resolve = answering(...Array.from({ length: 20 }, () => [open]));
    await using egress = guarded({ resolve });
    const origin = `https://destination.test:${server.port}`;
    await Promise.all(Array.from({ length: 10 }, () => get(egress.dispatcher, origin)));
    expect(resolve.asked).to.have.lengthOf(server.connections());
  });

  it('dials only the allowed ones among mixed records', async () => {
    const [first, second] = await recordBoth(https, [open, internal]);
    await using server = first;
    await using secret = second;
    await using egress = guarded({ resolve: answering([internal, '10.0.0.1', '::ffff:127.0.0.2', open]) });
    await get(egress.dispatcher, `https://destination.test:${server.port}`);
    expect([server.connections(), secret.connections()]).to.deep.equal([1, 0]);
  });

  it('denies a name all of whose addresses are refused, with the first reason', async () => {
    await using egress = guarded({ resolve: answering(['169.254.169.254', '10.0.0.1']) });
    const denied = await denial(get(egress.dispatcher, 'https://destination.example'));
    expect(denied).to.include({
      reason: 'deny-metadata',
      hostname: 'destination.example',
      address: '169.254.169.254',
    });
    expect(denied.message).to.not.contain('169.254');
  });

  it('tries the next allowed address when one does not accept', async () => {
    await using server = await record(https(), open);
    const policy = createEgressPolicy({ profile: 'strict', allowCidrs: ['127.0.0.2/31'], allowHosts });
    await using egress = guarded({ policy, resolve: answering(['127.0.0.3', open]) });
    expect((await get(egress.dispatcher, `https://destination.test:${server.port}`)).statusCode).to.equal(
      200,
    );
  });

  it('does not follow a redirect, wherever it leads', async () => {
    await using secret = await record(http(), internal);
    const location = `http://${internal}:${secret.port}/`;
    await using server = await record(
      https((_request, response) => response.writeHead(302, { location }).end()),
      open,
    );
    await using egress = guarded({ resolve: answering([open]) });
    const response = await get(egress.dispatcher, `https://destination.test:${server.port}`);
    expect([response.statusCode, response.headers['location']]).to.deep.equal([302, location]);
    expect(secret.connections()).to.equal(0);
  });

  const refusedOrigins = [
    ['strict', 'http://destination.test', 'scheme'],
    ['strict', 'https://127.0.0.2', 'ip-literal'],
    ['strict', 'https://[::1]', 'ip-literal'],
    ['strict', 'https://[::ffff:127.0.0.2]', 'ip-literal'],
    ['strict', 'https://2130706433', 'ip-literal'],
    ['strict', 'https://localhost', 'local-name'],
    ['strict', 'https://redis:6379', 'private-name'],
    ['strict', 'https://ledger.internal', 'private-name'],
    ['development', 'http://redis:6379', 'private-name'],
    ['development', 'http://destination.test', 'scheme'],
    ['development', 'http://10.0.0.1', 'scheme'],
    ['development', 'http://169.254.169.254', 'scheme'],
    ['development', 'https://169.254.169.254', 'ip-literal'],
    ['development', 'http://[::ffff:127.0.0.1]', 'scheme'],
  ] as const;
  for (const [profile, origin, reason] of refusedOrigins) {
    it(`denies ${origin} under ${profile} without resolving anything: ${reason}`, async () => {
      const resolve = answering([open]);
      await using egress = guarded({ policy: profile === 'strict' ? strict : development, resolve });
      expect((await denial(get(egress.dispatcher, origin))).reason).to.equal(reason);
      expect(resolve.asked).to.deep.equal([]);
    });
  }

  it('lets development reach localhost by name and by literal, over http and https', async () => {
    await using plain = await record(http(), internal);
    await using secure = await record(https(), internal);
    await using egress = guarded({ policy: development });
    const { port } = plain;
    const origins = [
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}`,
      `https://localhost:${secure.port}`,
      `https://127.0.0.1:${secure.port}`,
    ];
    for (const origin of origins)
      expect((await get(egress.dispatcher, origin)).statusCode, origin).to.equal(200);
  });

  it('lets development reach nothing else on this machine through a public name', async () => {
    await using server = await record(https(), internal);
    await using egress = guarded({ policy: development, resolve: answering([internal]) });
    expect((await denial(get(egress.dispatcher, `https://destination.test:${server.port}`))).reason).to.equal(
      'deny-loopback',
    );
    expect(server.connections()).to.equal(0);
  });

  it('lets localhost resolve to nothing but this machine', async () => {
    await using egress = guarded({ policy: development, resolve: answering(['8.8.8.8'], ['192.168.0.1']) });
    expect((await denial(get(egress.dispatcher, 'http://localhost'))).reason).to.equal('deny-not-local');
    expect((await denial(get(egress.dispatcher, 'http://localhost'))).reason).to.equal('deny-private');
  });

  it('sends no request to a listener of its own, also one that listens everywhere', async () => {
    for (const address of [internal, '0.0.0.0']) {
      await using server = await record(http(), address);
      const ownListeners = () => [{ address, port: server.port }];
      await using egress = guarded({ policy: development, ownListeners });
      const denied = await denial(get(egress.dispatcher, `http://localhost:${server.port}`));
      expect(denied.reason).to.equal('self-connection');
      expect(server.requests).to.deep.equal([]);
    }
  });

  it('opens no more connections to an origin than it may', async () => {
    await using server = await record(https(), open);
    await using egress = guarded({ resolve: async () => [open], maxConnectionsPerOrigin: 2 });
    const origin = `https://destination.test:${server.port}`;
    await Promise.all(Array.from({ length: 20 }, () => get(egress.dispatcher, origin)));
    expect(server.requests).to.have.lengthOf(20);
    expect(server.connections()).to.equal(2);
  });

  it('fails every waiting request when a destination is denied, and leaves none hanging', async () => {
    await using egress = guarded({ resolve: async () => ['10.0.0.1'], maxConnectionsPerOrigin: 2 });
    const requests = Array.from({ length: 20 }, () =>
      denial(get(egress.dispatcher, 'https://destination.example')),
    );
    for (const denied of await Promise.all(requests)) expect(denied.reason).to.equal('deny-private');
  });
});
