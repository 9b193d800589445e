import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { hashKey } from '@glovebox/access/api-key';
import { createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { Proxy, type PublishedRecord } from '@glovebox/protos/published/v1/published';
import { encodeRecord } from '@glovebox/published/codec';
import { type RecordName, applicationRecord, proxyRecord, redisNames } from '@glovebox/published/keys';
import { encodeMarker } from '@glovebox/published/marker';

import { readConfig } from '../src/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { type FakeRunner, type FakeVault, gatewayToken, startRunner, startVault } from './peer.ts';
import { until } from './until.ts';

const apiKey = 'key_of_a_private_application';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly anonymous?: boolean;
  /** The client goes away. */
  readonly signal?: AbortSignal;
}

/** A gateway between a fake vault, a fake runner and a real destination. */
export interface Stage extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly vault: FakeVault;
  readonly runner: FakeRunner;
  /** The bodies that have reached the destination, which answers `"done"`. */
  readonly delivered: string[];
  /** Publishes a proxy with these options and sends JSON to it. */
  send(proxy: Partial<Proxy>, sent?: Sent): Promise<Answer>;
}

export async function startStage(
  redisUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const vault = stack.use(await startVault());
  const runner = stack.use(await startRunner());
  const delivered: string[] = [];
  const destination = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      delivered.push(body);
      response.setHeader('Content-Type', 'application/json').end('"done"');
    });
  });
  await once(destination.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => destination.close().closeAllConnections());
  const destinationUrl = `http://127.0.0.1:${(destination.address() as AddressInfo).port}/in`;
  const prefix = randomUUID();
  const publish = await openPublisher(redisUrl, prefix, stack);
  const env = {
    REDIS_URL: redisUrl,
    REDIS_PREFIX: prefix,
    EGRESS_PROFILE: 'development',
    LOG_LEVEL: 'silent',
  };
  const ports = { HTTP_HOST: '127.0.0.1', HTTP_PORT: '0', METRICS_PORT: '0' };
  const peers = { VAULT_ADDRESS: vault.address, RUNNER_ADDRESS: runner.address, SERVICE_TOKEN: gatewayToken };
  const gateway = stack.use(await startGateway(readConfig({ ...env, ...ports, ...peers, ...settings })));
  const readiness = `http://127.0.0.1:${gateway.internalPort}/readyz`;
  await until('the gateway is ready', async () => (await fetch(readiness)).ok);
  const parts = stack.move();
  return {
    gateway,
    vault,
    runner,
    delivered,
    async send(options, { body = '{"pan":"{{ 1 }}"}', headers = {}, anonymous = false, signal } = {}) {
      const proxyKey = randomUUID();
      const known = { id: 'p', tenantId: 't', destinationUrl, requireAuth: true };
      const value = { ...Proxy.decode(new Uint8Array()), ...known, ...options };
      await publish(proxyRecord(hashKey(proxyKey)), { $case: 'proxy', value });
      const sent = { 'Content-Type': 'application/json', 'SVC-PROXY-KEY': proxyKey, ...headers };
      const outgoing = request({
        host: '127.0.0.1',
        port: gateway.port,
        path: '/proxy',
        method: 'POST',
        agent: false,
        signal,
        headers: anonymous ? sent : { ...sent, 'SVC-API-KEY': apiKey },
      });
      const [response] = await once(outgoing.end(body), 'response');
      return { status: response.statusCode, body: await text(response) };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Publishes an application that may use every token, and gives what publishes other records. */
async function openPublisher(redisUrl: string, prefix: string, stack: AsyncDisposableStack) {
  const names = redisNames(prefix);
  const options = { connectionName: 'test', commandTimeoutMs: 5000, onError: () => undefined };
  const redis = createRedis({ url: new Secret(redisUrl), ...options });
  stack.defer(() => redis.disconnect());
  if (redis.status !== 'ready') await once(redis, 'ready');
  const publish = (name: RecordName, record: PublishedRecord['record']) =>
    redis.set(names.record(name), encodeRecord({ version: 1, record }));
  await redis.set(names.marker, encodeMarker({ installationId: randomUUID(), lastEntry: 1 }));
  const rule = {
    priority: 1,
    transform: 'reveal',
    permissions: ['token:use'],
    container: '/',
    conditions: [],
  };
  const application = { id: 'a', tenantId: 't', type: 'private', permissions: [], rules: [rule] };
  const value = { ...application, session: undefined };
  await publish(applicationRecord(hashKey(apiKey)), { $case: 'application', value });
  return publish;
}
