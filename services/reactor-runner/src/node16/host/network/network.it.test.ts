import { type AddressInfo, type Socket, createServer } from 'node:net';

import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { expect } from 'chai';

import type { NetworkOptions } from '../../../worker-protocol/worker-options.ts';
import { Network } from './network.ts';
import { openOutbound } from './outbound.ts';

const options: NetworkOptions = {
  policy: createEgressPolicy({ profile: 'strict' }),
  ownListeners: [],
  connectTimeoutMs: 2000,
  connectionsAtOnce: 2,
  connections: 4,
  receivedBytes: 1000,
  sentBytes: 1000,
};

/** What inner names lead to; whatever is not here is unknown. */
const names: Readonly<Record<string, readonly string[]>> = {
  'private.example.com': ['10.0.0.5'],
  'loopback.example.com': ['127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'shared.example.com': ['100.64.0.1'],
  'mapped.example.com': ['::ffff:10.0.0.1'],
  'six.example.com': ['fd00::1', 'fe80::1'],
  'nowhere.example.com': ['0.0.0.0'],
};

async function resolve(hostname: string): Promise<readonly string[]> {
  const found = names[hostname];
  if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  return found;
}

const anyPlace = () => undefined;

interface ThrownError {
  readonly message: string;
  readonly code?: string;
  readonly syscall?: string;
}

/** Opens and connects, as the isolate does; what user code gets of the failure. */
async function failure(
  [protocol, host, port]: readonly [string, string, number?],
  changed: Partial<NetworkOptions> = {},
): Promise<ThrownError> {
  const network = new Network(openOutbound({ ...options, ...changed }, resolve), anyPlace, () => {});
  try {
    const id = network.operations()['net.open']?.(protocol, host, port ?? 443, undefined);
    await network.jobs()['net.connect']?.(id);
  } catch (error) {
    return error as ThrownError;
  } finally {
    network.endInvocation();
  }
  throw new Error('it was allowed');
}

describe('the network of an isolate', () => {
  describe('in the strict profile refuses', () => {
    const literals = [
      '127.0.0.1',
      '127.1',
      '0177.0.0.1',
      '0x7f.0.0.1',
      '0x7f000001',
      '2130706433',
      '１２７.0.0.1',
      '127.0.0.1.',
      '10.0.0.1',
      '169.254.169.254',
      '0xa9fea9fe',
      '100.100.100.200',
      '0.0.0.0',
      '255.255.255.255',
      '93.184.215.14',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:a9fe:a9fe',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      'fe80::1',
      'fd00:ec2::254',
      '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    ];
    for (const host of literals) {
      it(`the address ${host}`, async () => {
        const { message, code } = await failure(['https:', host]);
        expect(code).to.equal('EACCES');
        expect(message).to.match(/ are not allowed: a DNS name is needed, not an IP address\.$/);
      });
    }

    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '%6cocalhost']) {
      it(`this machine as ${host}`, async () => {
        const { message, code } = await failure(['https:', host]);
        expect(code).to.equal('EACCES');
        expect(message).to.match(/ are not allowed: it is not a public host\.$/);
      });
    }

    for (const [host, addresses] of Object.entries(names)) {
      it(`${host}, and does not say that it leads to ${addresses.join(' and ')}`, async () => {
        const { message, code } = await failure(['https:', host]);
        expect(code).to.equal('EACCES');
        expect(message).to.equal(`Requests to https://${host}:443 are not allowed: it is not a public host.`);
      });
    }

    for (const host of ['redis', 'REDIS.', 'metadata.google.internal', 'ledger。lan']) {
      it(`${host}, as a name that cannot be public`, async () => {
        const { message, code } = await failure(['https:', host]);
        expect(code).to.equal('EACCES');
        expect(message).to.match(
          / are not allowed: a name of this kind cannot be public, and the operator does not allow it\.$/,
        );
      });
    }

    it('http', async () => {
      for (const host of ['example.com', 'localhost', '127.0.0.1', 'private.example.com'])
        expect((await failure(['http:', host, 80])).message).to.equal(
          `Requests to http://${host}:80 are not allowed: only https is allowed.`,
        );
    });
  });

  for (const host of [
    'user@127.0.0.1',
    'a.example/b',
    'a.example:80',
    'a?b',
    'a#b',
    'a\\b',
    '[::1]',
    'a b',
    'a\tb',
    '',
  ]) {
    it(`takes ${JSON.stringify(host)} for no host`, async () => {
      const { code, syscall } = await failure(['https:', host]);
      expect({ code, syscall }).to.deep.equal({ code: 'ENOTFOUND', syscall: 'getaddrinfo' });
    });
  }

  it('reports an unknown name as Node.js does', async () => {
    const { message, code, ...fields } = await failure(['https:', 'unknown.example.com']);
    expect([message, code]).to.deep.equal(['getaddrinfo ENOTFOUND unknown.example.com', 'ENOTFOUND']);
    expect(fields).to.include({ errno: -3008, syscall: 'getaddrinfo', hostname: 'unknown.example.com' });
  });

  describe('in the development profile', () => {
    const policy = createEgressPolicy({ profile: 'development' });

    it('refuses what is neither public nor this machine', async () => {
      for (const host of ['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '0.0.0.0'])
        expect((await failure(['https:', host], { policy })).code, host).to.equal('EACCES');
    });

    it('reaches no listener of the platform, under any name of this machine', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      const { port } = server.address() as AddressInfo;
      const ownListeners = [{ address: '0.0.0.0', port }];
      for (const host of ['127.0.0.1', '0x7f.1'])
        expect((await failure(['http:', host, port], { policy, ownListeners })).message).to.contain(
          'are not allowed',
        );
      await new Promise((closed) => server.close(closed));
    });

    it('reports a refused connection as Node.js does', async () => {
      const { message, ...fields } = await failure(['http:', '127.0.0.1', 1], { policy });
      expect(message).to.equal('connect ECONNREFUSED 127.0.0.1:1');
      expect(fields).to.include({ errno: -111, syscall: 'connect', address: '127.0.0.1', port: 1 });
    });
  });

  describe('connects without TLS for SSH only', () => {
    const policy = createEgressPolicy({ profile: 'development' });
    const greeted = async (greeting: readonly string[]) => {
      const server = createServer((socket: Socket) => {
        socket.on('error', () => {});
        greeting.forEach((piece, at) => setTimeout(() => socket.write(piece), 10 * at));
      }).listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      const { port } = server.address() as AddressInfo;
      const network = new Network(
        openOutbound({ ...options, policy, connectTimeoutMs: 200 }, resolve),
        anyPlace,
        () => {},
      );
      try {
        const id = network.operations()['net.open']?.('ssh:', '127.0.0.1', port);
        await network.jobs()['net.connect']?.(id);
        return Buffer.from((await network.jobs()['net.read']?.(id)) as Uint8Array).toString();
      } catch (error) {
        return (error as Error).message;
      } finally {
        network.endInvocation();
        server.close();
      }
    };

    it('with what the server has said of itself still there to be read', async () => {
      expect(await greeted(['SSH-2.0-test\r\n'])).to.equal('SSH-2.0-test\r\n');
      expect(await greeted(['Welcome.\r\nSS', 'H-1.99-old'])).to.equal('Welcome.\r\nSSH-1.99-old');
    });

    it('not with a server that says something else, too much, or nothing', async () => {
      for (const greeting of [
        ['HTTP/1.1 400 SSH-2.0-\r\n'],
        ['220 mail ESMTP\r\n'],
        ['x'.repeat(10_000)],
        [],
      ])
        expect(await greeted(greeting)).to.match(
          /^Requests to ssh:.* are not allowed: it is not an SSH server\.$/,
        );
    });

    it('not where https does not lead either', async () => {
      for (const host of ['127.0.0.1', 'localhost', 'private.example.com'])
        expect((await failure(['ssh:', host, 22])).code).to.equal('EACCES');
    });
  });

  it('ends all that is under way with the invocation', async () => {
    const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as AddressInfo;
    const policy = createEgressPolicy({ profile: 'development' });
    const network = new Network(openOutbound({ ...options, policy }, resolve), anyPlace, () => {});
    const { 'net.connect': connect, 'net.read': read } = network.jobs();
    const open = () => network.operations()['net.open']?.('http:', '127.0.0.1', port);
    const [first, second, third] = [open(), open(), open()];
    await connect?.(first);
    await connect?.(second);
    // The third waits for one of the two places.
    const underWay = Promise.allSettled([read?.(first), read?.(first), read?.(second), connect?.(third)]);
    network.endInvocation();
    const statuses = (await underWay).map(({ status }) => status);
    expect(statuses).to.deep.equal(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    server.close();
  });

  it('opens no more connections than an invocation may have, and again as many for the next', () => {
    const network = new Network(openOutbound(options, resolve), anyPlace, () => {});
    const open = () => network.operations()['net.open']?.('https:', 'private.example.com', 443, undefined);
    for (let i = 0; i < 4; i += 1) open();
    expect(open).to.throw('More than 4 connections in one invocation.');
    network.endInvocation();
    expect(open).not.to.throw();
  });

  it('has nothing to do with a port, protocol or credentials that are none', () => {
    const network = new Network(openOutbound(options, resolve), anyPlace, () => {});
    const open = network.operations()['net.open'] as (...args: unknown[]) => unknown;
    expect(() => open('file:', 'a.example', 1)).to.throw();
    expect(() => open('https:', 'a.example', 65_536)).to.throw();
    expect(() => open('https:', 'a.example', 443, { ca: 'x' })).to.throw();
    expect(() => open('https:', 'a.example', 443, { ca: ['x'.repeat(300_000)] })).to.throw();
    expect(() => open('https:', { toString: () => 'a.example' }, 443)).to.throw();
    expect(() =>
      new Network(undefined, anyPlace, () => {}).operations()['net.open']?.('https:', 'a.example', 443),
    ).to.throw('no network');
  });
});
