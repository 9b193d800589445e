import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

import { apiOf } from '../../harness/api.ts';
import { type System, startSystem } from '../../harness/system.ts';
import { type NameServer, startNameServer } from './name-server.ts';

/** Opened by the operator, so that it stands for a public address; every other address of this machine stands for an internal one. */
const publicAddress = '127.0.0.2';
const certificates = join(checkout, 'packages/egress/test/tls');

/** A system with the production rules, a name server that it asks, and a listener on every address of this machine. */
export interface SsrfStage extends AsyncDisposable {
  readonly system: System;
  readonly api: ReturnType<typeof apiOf>;
  readonly names: NameServer;
  /** Of the listener, at every address. */
  readonly port: number;
  /** Requests that came to where they may. */
  readonly arrived: readonly string[];
  /** Connections that came to where none may. */
  readonly breaches: readonly string[];
}

export async function startSsrfStage(): Promise<SsrfStage> {
  await using stack = new AsyncDisposableStack();
  const names = stack.use(await startNameServer());
  const listener = stack.use(await listenEverywhere());
  const system = stack.use(
    await startSystem({
      env: {
        EGRESS_PROFILE: 'strict',
        MAX_WEBHOOKS: '100',
        EGRESS_ALLOW_CIDRS: `${publicAddress}/32`,
        EGRESS_ALLOW_HOSTS: '*.destination.test',
        NODE_EXTRA_CA_CERTS: join(certificates, 'certificate.pem'),
        NODE_OPTIONS: askingNameServer(names.port),
      },
    }),
  );
  for (const [name, address] of Object.entries({
    'loopback.alias.example': '127.0.0.1',
    'metadata.alias.example': '169.254.169.254',
    'private.alias.example': '10.0.0.1',
    'allowed.destination.test': publicAddress,
    'redirects.destination.test': publicAddress,
    'inside.destination.test': '127.0.0.1',
  })) {
    names.set(name, [address]);
  }
  const held = stack.move();
  return {
    system,
    api: apiOf(system),
    names,
    ...listener,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** What it hears says to which address it came: this machine has many. */
async function listenEverywhere() {
  const arrived: string[] = [];
  const breaches: string[] = [];
  const sockets = new Set<Socket>();
  const pem = (file: string) => readFileSync(join(certificates, file));
  const server = createServer(
    { cert: pem('certificate.pem'), key: pem('key.pem') },
    (request: IncomingMessage, response: ServerResponse) => {
      const { host = '' } = request.headers;
      arrived.push(`${host}${request.url}`);
      request.resume();
      // A name is resolved again for each connection.
      const head = { Connection: 'close' };
      const location = `https://inside.destination.test:${host.split(':')[1]}/`;
      if (host.startsWith('redirects.')) response.writeHead(307, { ...head, Location: location });
      else response.writeHead(200, head);
      response.end();
    },
  );
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const to = socket.localAddress?.replace('::ffff:', '');
    if (to !== publicAddress) breaches.push(`a connection came to ${to}`);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    breaches,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** In place of the system's name server, which only its administrator can choose. */
function askingNameServer(port: number): string {
  const lookup = `
    import dns from 'node:dns/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
    resolver.setServers(['127.0.0.1:${port}']);
    const real = dns.lookup;
    dns.lookup = async (host, options) => {
      if (!/\\.(example|test)$/.test(host)) return real(host, options);
      const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = asked.flatMap(({ value = [] }, at) => value.map((address) => ({ address, family: at === 0 ? 4 : 6 })));
      if (found.length === 0) throw asked[0].reason;
      return found;
    };
    syncBuiltinESMExports();`;
  return `--import=data:text/javascript,${encodeURIComponent(lookup)}`;
}
