import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';

import { createStateDirectory, stateDirectory } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { findRedisServer } from '@glovebox/local/redis-server';
import { slotOf } from '@glovebox/platform/db/slot-of';
import { Redis } from 'ioredis';

import { until } from './until.ts';

/** One process of a cluster. */
export interface RedisNode {
  readonly id: string;
  readonly port: number;
  readonly client: Redis;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Stops it without ending it or its connections, as a machine does that hangs. */
  hang(): void;
  /** Starts it again with what is on its disk. */
  revive(): Promise<void>;
}

export interface RedisCluster extends AsyncDisposable {
  /** Names two of the nodes. */
  readonly url: string;
  /** The primaries first, then their replicas in the same order. */
  readonly nodes: readonly RedisNode[];
  /** The primary of a name now. */
  primaryOf(name: string): Promise<RedisNode>;
  /** Moves the slot of a name with all that is in it to another primary, as `redis-cli --cluster reshard` does. */
  moveSlotOf(name: string): Promise<void>;
  /** Resolves when every primary has a replica. */
  whole(): Promise<void>;
}

const primaries = 3;
const slots = 16_384;
/** A node that does not answer for this long counts as failed. */
const nodeTimeoutMs = 1000;

/** Three primaries with a replica each. Undefined where there is no real Redis. */
export async function startRedisCluster(): Promise<RedisCluster | undefined> {
  // Once, before all ask for it.
  createStateDirectory(stateDirectory());
  if ((await findRedisServer(stateDirectory())) === undefined) return undefined;
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(joinPath(tmpdir(), 'glovebox-cluster-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const password = randomBytes(16).toString('hex');
  const nodes = await Promise.all(
    Array.from({ length: 2 * primaries }, async (_, at) =>
      stack.use(await startNode(joinPath(folder, String(at)), password)),
    ),
  );
  await join(nodes);
  const [first, , , last] = nodes as [Node, Node, Node, Node];
  const owned = stack.move();
  return {
    url: `redis-cluster://:${password}@127.0.0.1:${first.port},127.0.0.1:${last.port}`,
    nodes,
    primaryOf: (name) => primaryOf(nodes, slotOf(name)),
    moveSlotOf: (name) => move(nodes, slotOf(name), password),
    whole: () => whole(nodes),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

class Node implements RedisNode, AsyncDisposable {
  readonly id: string;
  readonly port: number;
  readonly client: Redis;
  #server: RunningRedis;
  readonly #start: () => Promise<RunningRedis>;

  constructor(id: string, server: RunningRedis, client: Redis, start: () => Promise<RunningRedis>) {
    this.id = id;
    this.port = Number(new URL(server.url).port);
    this.client = client;
    this.#server = server;
    this.#start = start;
  }

  async kill(): Promise<void> {
    process.kill(this.#child.pid, 'SIGKILL');
    await this.#child.exited;
  }

  hang(): void {
    process.kill(this.#child.pid, 'SIGSTOP');
  }

  get #child() {
    const { child } = this.#server;
    if (child === undefined) throw new Error('it is not ours');
    return child;
  }

  async revive(): Promise<void> {
    this.#server = await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.disconnect();
    await this.#server.stop();
  }
}

async function startNode(dataDir: string, password: string): Promise<Node> {
  const [port, busPort] = [await freePort(), await freePort()];
  const lines = [
    'cluster-enabled yes',
    `cluster-port ${busPort}`,
    `cluster-node-timeout ${nodeTimeoutMs}`,
    'cluster-require-full-coverage no',
    `masterauth ${password}`,
    'repl-diskless-sync-delay 0',
  ];
  const start = () => startRedis({ dataDir, port, password, lines });
  const server = await start();
  const client = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  return new Node(await client.cluster('MYID'), server, client, start);
}

async function join(nodes: readonly RedisNode[]): Promise<void> {
  const [first, ...others] = nodes as [RedisNode, ...RedisNode[]];
  for (const [at, { client }] of nodes.slice(0, primaries).entries()) {
    const [from, to] = [at, at + 1].map((part) => Math.floor((part * slots) / primaries)) as [number, number];
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
    await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to - 1);
  }
  const busPort = async ({ client }: RedisNode) => Number((await client.config('GET', 'cluster-port'))[1]);
  const port = await busPort(first);
  for (const { client } of others) await client.call('CLUSTER', 'MEET', '127.0.0.1', first.port, port);
  const known = async ({ client }: RedisNode) => (await linesOf(client)).length === nodes.length;
  await until('all nodes know each other', async () => (await Promise.all(nodes.map(known))).every(Boolean));
  for (const [at, { client }] of nodes.slice(primaries).entries())
    await client.call('CLUSTER', 'REPLICATE', nodes[at]!.id);
  await whole(nodes);
}

/** Each primary that has slots has a replica that follows it. */
async function whole(nodes: readonly RedisNode[]): Promise<void> {
  const isFine = async ({ client }: RedisNode) => {
    if (!(await client.cluster('INFO')).includes('cluster_state:ok')) return false;
    const replication = await client.info('replication');
    return replication.includes(
      replication.includes('role:master') ? 'state=online' : 'master_link_status:up',
    );
  };
  await until(
    'each primary has its replica',
    async () => (await Promise.all(nodes.map(isFine))).every(Boolean),
    30_000,
  );
}

async function linesOf(client: Redis): Promise<string[]> {
  const lines = String(await client.cluster('NODES'))
    .trimEnd()
    .split('\n');
  return lines.filter((line) => !line.includes('handshake'));
}

/** As those say that answer. */
async function primaryOf(nodes: readonly RedisNode[], slot: number): Promise<RedisNode> {
  const running = nodes.find(({ client }) => client.status === 'ready')!;
  const ranges = await running.client.cluster('SLOTS');
  const range = ranges.find(([from, to]) => from <= slot && slot <= to);
  return nodes.find(({ id }) => id === range?.[2]?.[2])!;
}

async function move(nodes: readonly RedisNode[], slot: number, password: string): Promise<void> {
  const from = await primaryOf(nodes, slot);
  const isPrimary = async ({ client }: RedisNode) =>
    (await client.info('replication')).includes('role:master');
  const areOthers = await Promise.all(nodes.map(async (node) => node !== from && isPrimary(node)));
  const to = nodes.find((_, at) => areOthers[at] === true);
  if (to === undefined) throw new Error('there is no other primary');
  await to.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
  await from.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
  for (;;) {
    // A few at a time, so that requests meet a slot of which a part has moved.
    const keys = (await from.client.call('CLUSTER', 'GETKEYSINSLOT', slot, 3)) as string[];
    if (keys.length === 0) break;
    const target = ['127.0.0.1', to.port, '', 0, 5000, 'AUTH', password, 'KEYS', ...keys];
    await from.client.call('MIGRATE', target);
  }
  for (const { client } of [to, from]) await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
}
