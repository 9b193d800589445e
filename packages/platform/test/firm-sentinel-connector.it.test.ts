import { once } from 'node:events';
import { type Server, type Socket, createServer } from 'node:net';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { createRedis } from '../src/db/redis.ts';
import { portOf } from '../src/http/port-of.ts';
import { Secret } from '../src/values/secret.ts';

/** A sentinel whose answers and announcements have the order that the test wants: a real one cannot be made to. */
class OrderlySentinel implements AsyncDisposable {
  readonly #server: Server;
  readonly #master: { readonly host: string; readonly port: string };
  readonly #sockets = new Set<Socket>();
  readonly #subscribed = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  isHolding = false;

  constructor(masterUrl: string) {
    const { hostname: host, port } = new URL(masterUrl);
    this.#master = { host, port };
    this.#server = createServer((socket) => {
      this.#sockets.add(socket.on('error', () => undefined));
      socket.on('data', (data) => this.#answer(socket, data.toString()));
    });
  }

  async listen(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return portOf(this.#server);
  }

  /** Questions for the primary that are not answered yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get hasSubscribers(): boolean {
    return this.#subscribed.size > 0;
  }

  announceFailover(): void {
    for (const socket of this.#subscribed) socket.write(array('message', '+switch-master', 'main'));
  }

  answerAll(): void {
    this.isHolding = false;
    for (const answer of this.#waiting.splice(0)) answer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(socket: Socket, text: string): void {
    for (const words of commandsIn(text)) {
      const [command = '', second = ''] = words.map((word) => word.toLowerCase());
      const reply = () => {
        if (command === 'subscribe') {
          this.#subscribed.add(socket);
          socket.write(`*3\r\n$9\r\nsubscribe\r\n${bulk(second)}:1\r\n`);
        } else if (second === 'get-master-addr-by-name') {
          socket.write(array(this.#master.host, this.#master.port));
        } else if (command === 'sentinel') socket.write('*0\r\n');
        else socket.write('+OK\r\n');
      };
      if (this.isHolding && second === 'get-master-addr-by-name') this.#waiting.push(reply);
      else reply();
    }
  }
}

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
const array = (...texts: string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`;

/** The commands of a text that holds whole ones, as those of a client of one's own machine are. */
function commandsIn(text: string): string[][] {
  return text
    .split(/^\*\d+\r\n/m)
    .slice(1)
    .map((command) => [...command.matchAll(/^\$\d+\r\n(.*)\r\n/gm)].map(([, word = '']) => word));
}

describe('a connection that asks a sentinel for the primary', () => {
  let redis: RunningRedis;
  before(async () => {
    redis = await startRedis({ ephemeral: true });
  });
  after(() => redis.stop());

  it('is made although a failover is announced meanwhile', async () => {
    await using sentinel = new OrderlySentinel(redis.url);
    const url = new URL(`redis-sentinel://127.0.0.1:${await sentinel.listen()}/main`);
    url.password = new URL(redis.url).password;
    const client = createRedis({
      url: new Secret(url.href),
      connectionName: 'test',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    try {
      await until(
        'it is connected, and hears of failovers',
        () => client.status === 'ready' && sentinel.hasSubscribers,
      );
      sentinel.isHolding = true;
      const id = await client.client('ID');
      await client.call('CLIENT', 'KILL', 'ID', String(id), 'SKIPME', 'no').catch(() => undefined);
      await until('it asks for the primary', () => sentinel.waiting > 0);
      sentinel.announceFailover();
      await new Promise((resolve) => setImmediate(resolve));
      sentinel.answerAll();
      await until('it is connected again', () => client.status === 'ready');
      expect(await client.set('again', 'kept')).to.equal('OK');
    } finally {
      client.disconnect();
    }
  });
});
