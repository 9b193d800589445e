import { setTimeout } from 'node:timers/promises';

import { createGrpcChannel, mostServers } from '../src/grpc/client.ts';
import { Secret } from '../src/values/secret.ts';
import {
  type EchoInbound,
  connectCallStream,
  outcome,
  soon,
  startCallStreamServer,
} from './call-stream-echo.ts';
import { EchoService, type EchoServer, callerToken, until } from './grpc-echo.ts';

/** Servers at several addresses of this machine, on one port, and a client of those that a name is said to have. */
export class Cluster implements AsyncDisposable {
  /** Calls that each server has got, by its address. */
  readonly counts: Record<string, number> = {};
  readonly servers: Record<string, EchoServer> = {};
  /** What calls failed with. */
  readonly failures: string[] = [];
  /** The addresses of the name. */
  hosts: readonly string[] = [];
  port = 0;
  readonly #stack = new AsyncDisposableStack();

  static async start(...hosts: readonly string[]) {
    const cluster = new Cluster();
    for (const host of hosts) await cluster.add(host);
    cluster.hosts = hosts;
    const channel = createGrpcChannel({
      address: `servers.test:${cluster.port}`,
      token: new Secret(callerToken),
      lookup: () => Promise.resolve(cluster.hosts),
    });
    cluster.#stack.defer(() => channel.close());
    const { client } = cluster.#stack.use(
      connectCallStream(cluster.port, {
        openStream: (peer) => channel.stream(EchoService.exchange, peer),
        peers: channel,
      }),
    );
    const connected = Object.assign(cluster, {
      client,
      channel,
      ready: (count: number) => until(() => client.readyPeers === count),
    });
    await connected.ready(Math.min(mostServers, hosts.length));
    return connected;
  }

  /** Starts a server at one more address; the name does not have it yet. */
  async add(host: string, delayMs = 0): Promise<void> {
    this.counts[host] = 0;
    const server = await startCallStreamServer(
      async (calls: readonly EchoInbound[]) => {
        this.counts[host] = this.count(host) + calls.length;
        if (delayMs > 0) await setTimeout(delayMs);
        for (const inbound of calls) inbound.reply({ id: inbound.call.id, text: host });
      },
      { host, port: this.port },
    );
    this.servers[host] = this.#stack.use(server);
    this.port = server.port;
  }

  count(host: string): number {
    return this.counts[host] ?? 0;
  }

  reset(): void {
    for (const host of Object.keys(this.counts)) this.counts[host] = 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

type Connected = Awaited<ReturnType<typeof Cluster.start>>;

/** So many callers, each with one call after the other, as long as there is more to do. */
export async function load(
  { client, failures }: Connected,
  callers: number,
  more: () => boolean,
): Promise<void> {
  const call = async () => {
    while (more()) {
      const result = await outcome(client.call({ text: 'echo' }, soon()));
      if (result !== 'ok') failures.push(result);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
}

/** True for that many times. */
export function times(count: number): () => boolean {
  let left = count;
  return () => (left -= 1) >= 0;
}
