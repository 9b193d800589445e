import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

import { hashKey } from '@glovebox/access/api-key';
import { createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { type EgressPolicy, Proxy, type PublishedRecord } from '@glovebox/protos/published/v1/published';
import {
  type RecordName,
  applicationRecord,
  proxyRecord,
  proxyRolloutRecord,
  redisNames,
  tenantRecord,
} from '@glovebox/published/keys';

import { testPublication } from '../../../test/harness/test-publication.ts';
import { readConfig } from '../src/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { type FakeRunner, type FakeVault, gatewayToken, startRunner, startVault } from './peer.ts';
import { until } from './until.ts';

const apiKey = 'key_of_a_private_application';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly anonymous?: boolean;
  /** The client goes away. */
  readonly signal?: AbortSignal;
  /** Sees the answer's body as it arrives. */
  readonly onData?: (chunk: Buffer) => void;
}

export interface RolledOut {
  /** Whether a gateway gives this customer the second version. */
  getsSecond(gateway: Gateway, customer: string): Promise<boolean>;
}

/** A gateway between a fake vault, a fake runner and a real destination. */
export interface Stage extends AsyncDisposable {
  readonly gateway: Gateway;
  /** The settings of the gateway. */
  readonly env: Readonly<Record<string, string>>;
  readonly vault: FakeVault;
  readonly runner: FakeRunner;
  /** The bodies that have reached the destination, which answers `"done"`. */
  readonly delivered: string[];
  /** Publishes a proxy with these options and sends JSON to it. */
  send(proxy: Partial<Proxy>, sent?: Sent): Promise<Answer>;
  /** Publishes a proxy whose second version does not ask for a key, for half of the values of X-Customer. */
  rollOut(): Promise<RolledOut>;
  /** One more gateway over the same records. */
  another(): Promise<Gateway>;
  /** Sends JSON to a destination that the request names itself. */
  sendEphemeral(url: string): Promise<Answer>;
  /** Publishes the egress policy of the tenant; undefined: it has none. */
  setPolicy(policy: EgressPolicy | undefined): Promise<void>;
}

const everyGateway = {
  PUBLICATION_PUBLIC_KEYS: testPublication.setting,
  EGRESS_PROFILE: 'development',
  LOG_LEVEL: 'silent',
  HTTP_HOST: '127.0.0.1',
  HTTP_PORT: '0',
  METRICS_PORT: '0',
  WARM_UP_MS: '0',
};

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
  let tenantVersion = 0;
  const setPolicy = async (egressPolicy: EgressPolicy | undefined) => {
    tenantVersion += 1;
    const value = { id: 't', settings: {}, egressPolicy };
    await publish(tenantRecord('t'), { $case: 'tenant', value }, tenantVersion);
  };
  await setPolicy(undefined);
  const env = { ...everyGateway, REDIS_URL: redisUrl, REDIS_PREFIX: prefix };
  const peers = { VAULT_ADDRESS: vault.address, RUNNER_ADDRESS: runner.address, SERVICE_TOKEN: gatewayToken };
  const all = { ...env, ...peers, ...settings };
  const another = () => startReady(all);
  const gateway = stack.use(await another());
  const parts = stack.move();
  return {
    gateway,
    env: all,
    vault,
    runner,
    delivered,
    setPolicy,
    async send(
      options,
      { body = '{"pan":"{{ 1 }}"}', headers = {}, anonymous = false, signal, onData } = {},
    ) {
      const proxyKey = randomUUID();
      const known = { id: 'p', tenantId: 't', destinationUrl, requireAuth: true };
      const value = { ...Proxy.decode(new Uint8Array()), ...known, ...options };
      await publish(proxyRecord(hashKey(proxyKey)), { $case: 'proxy', value });
      const sent = { 'Content-Type': 'application/json', 'SVC-PROXY-KEY': proxyKey, ...headers };
      const all = anonymous ? sent : { ...sent, 'SVC-API-KEY': apiKey };
      return post(gateway.port, all, body, { signal, onData });
    },
    another,
    rollOut: () => rollOut(publish, destinationUrl),
    sendEphemeral(url) {
      const sent = { 'Content-Type': 'application/json', 'SVC-PROXY-URL': url, 'SVC-API-KEY': apiKey };
      return post(gateway.port, sent, '{"pan":"{{ 1 }}"}', { signal: undefined, onData: undefined });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function rollOut(
  publish: Awaited<ReturnType<typeof openPublisher>>,
  destinationUrl: string,
): Promise<RolledOut> {
  const proxyKey = randomUUID();
  const known = { id: 'p', tenantId: 't', destinationUrl, requireAuth: true };
  const present = { ...Proxy.decode(new Uint8Array()), ...known };
  await publish(proxyRecord(hashKey(proxyKey)), { $case: 'proxy', value: present });
  const proxy = { ...present, requireAuth: false };
  const share = { id: randomUUID(), percent: 50, header: 'x-customer', ended: false };
  const value = { ...share, proxyVersion: 2, proxy };
  await publish(proxyRolloutRecord(hashKey(proxyKey)), { $case: 'proxyRollout', value });
  return {
    async getsSecond({ port }, customer) {
      const headers = { 'SVC-PROXY-KEY': proxyKey, 'X-Customer': customer };
      const sent = { 'Content-Type': 'application/json', ...headers };
      const { status, body } = await post(port, sent, '{}', { signal: undefined, onData: undefined });
      if (status !== 200 && status !== 401) throw new Error(`${status} ${body}`);
      return status === 200;
    },
  };
}

async function startReady(env: Readonly<Record<string, string>>): Promise<Gateway> {
  const gateway = await startGateway(readConfig(env));
  const readiness = `http://127.0.0.1:${gateway.internalPort}/readyz`;
  await until('the gateway is ready', async () => (await fetch(readiness)).ok);
  return gateway;
}

async function post(
  port: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  { signal, onData }: { readonly [Name in 'signal' | 'onData']: Sent[Name] | undefined },
): Promise<Answer> {
  const to = { host: '127.0.0.1', port, path: '/proxy', method: 'POST', agent: false };
  const [response] = await once(request({ ...to, signal, headers }).end(body), 'response');
  if (onData !== undefined) response.on('data', onData);
  const bytes = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body: bytes.toString(), bytes };
}

/** Publishes an application that may use every token, and gives what publishes other records. */
async function openPublisher(redisUrl: string, prefix: string, stack: AsyncDisposableStack) {
  const names = redisNames(prefix);
  const options = { connectionName: 'test', commandTimeoutMs: 5000, onError: () => undefined };
  const redis = createRedis({ url: new Secret(redisUrl), ...options });
  stack.defer(() => redis.disconnect());
  if (redis.status !== 'ready') await once(redis, 'ready');
  const publish = async (name: RecordName, record: PublishedRecord['record'], version = 1) => {
    await testPublication.put(redis, names, name, { version, record });
    await redis.publish(names.changes, name);
  };
  await testPublication.mark(redis, names);
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
