import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { generateApiKey, generateProxyKey, hashKey } from '@glovebox/access/api-key';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import type {
  AccessRule,
  EgressPolicy,
  Proxy,
  PublishedRecord,
  Reactor,
  Webhook,
} from '@glovebox/protos/published/v1/published';
import {
  type RecordName,
  applicationIdRecord,
  applicationRecord,
  proxyIdRecord,
  proxyRecord,
  reactorRecord,
  redisNames,
  tenantRecord,
  webhooksRecord,
} from '@glovebox/published/keys';
import { emptyProxy } from '@glovebox/published/records';

import { testPublication } from '../../../test/harness/test-publication.ts';

/** Stands for control-api: writes published records to a Redis of its own, as it would. */
export class Publisher implements AsyncDisposable {
  readonly prefix = 'test';
  readonly #server: RunningRedis;
  readonly #redis: Redis;
  /** The versions of the published tenants. */
  readonly #tenants = new Map<string, number>();

  private constructor(server: RunningRedis, redis: Redis) {
    this.#server = server;
    this.#redis = redis;
  }

  static async start(): Promise<Publisher> {
    const server = await startRedis({ redisUrl: process.env['REDIS_URL'], ephemeral: true });
    const redis = createRedis({
      url: new Secret(server.url),
      connectionName: 'test-publisher',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    await once(redis, 'ready');
    const publisher = new Publisher(server, redis);
    await testPublication.mark(redis, redisNames(publisher.prefix));
    return publisher;
  }

  /** How long a name in Redis still lives, in milliseconds; undefined for none. */
  async lifeOf(name: string): Promise<number | undefined> {
    const life = await this.#redis.pttl(name);
    return life === -2 ? undefined : life;
  }

  /** Removes a published record, as a deletion does. */
  async withdraw(reactorId: string): Promise<void> {
    const name = reactorRecord(reactorId);
    const names = redisNames(this.prefix);
    const record = { $case: 'tombstone' as const, value: {} };
    await testPublication.put(this.#redis, names, name, { version: 2, record });
    await this.#redis.publish(names.changes, name);
  }

  get redis(): Redis {
    return this.#redis;
  }

  /** As a runner is told of it. */
  get connection() {
    return { url: this.url, prefix: this.prefix, isCluster: false, waitReplicas: 0 };
  }

  get url(): Secret<string> {
    return new Secret(this.#server.url);
  }

  /** The tenant, with an egress policy from now on. What belongs to a tenant publishes it without one. */
  async tenant(id: string, egressPolicy?: EgressPolicy): Promise<void> {
    const version = (this.#tenants.get(id) ?? 0) + 1;
    this.#tenants.set(id, version);
    const value = { id, settings: {}, egressPolicy };
    await this.#publish(tenantRecord(id), { $case: 'tenant', value }, version);
  }

  /** @returns its id */
  async reactor(tenantId: string, code: string, more: Partial<Reactor> = {}): Promise<string> {
    await this.#knowTenant(tenantId);
    const id = randomUUID();
    const value: Reactor = {
      id,
      tenantId,
      name: 'reactor',
      applicationId: '',
      formulaId: randomUUID(),
      code,
      declaredConfiguration: [],
      requestParameters: [],
      allowedDestinations: undefined,
      sealedConfiguration: {},
      responseGuard: '',
      ...more,
    };
    await this.#publish(reactorRecord(id), { $case: 'reactor', value });
    return id;
  }

  /** @returns its key */
  async application(
    tenantId: string,
    permissions: readonly string[],
    rules: readonly Partial<AccessRule>[] = [],
  ): Promise<string> {
    const key = generateApiKey();
    const noRule = { priority: 1, container: '/', conditions: [], transform: 'reveal', permissions: [] };
    const value = {
      id: randomUUID(),
      tenantId,
      type: 'private',
      permissions: [...permissions],
      rules: rules.map((rule) => ({ ...noRule, ...rule })),
      session: undefined,
    };
    await this.#publish(applicationIdRecord(value.id), { $case: 'application', value });
    await this.#publish(applicationRecord(hashKey(key)), { $case: 'application', value });
    return key;
  }

  /** @returns its id; it has no key */
  async applicationNamed(tenantId: string, name: string): Promise<string> {
    const id = randomUUID();
    const value = { id, tenantId, type: 'private', permissions: [], rules: [], session: undefined, name };
    await this.#publish(applicationIdRecord(id), { $case: 'application', value });
    return id;
  }

  /** All webhooks of a tenant, as they are from now on. */
  async webhooks(tenantId: string, endpoints: readonly Webhook[]): Promise<void> {
    await this.#knowTenant(tenantId);
    const value = { tenantId, endpoints: [...endpoints] };
    await this.#publish(webhooksRecord(tenantId), { $case: 'webhooks', value });
  }

  /** @returns its id, and the hash of its key */
  async proxy(tenantId: string, more: Partial<Proxy>): Promise<{ id: string; proxyKeyHash: string }> {
    await this.#knowTenant(tenantId);
    const id = randomUUID();
    const proxyKeyHash = hashKey(generateProxyKey());
    const value: Proxy = {
      ...emptyProxy,
      id,
      tenantId,
      name: 'proxy',
      destinationUrl: 'https://example.com',
      requireAuth: true,
      ...more,
    };
    await this.#publish(proxyRecord(proxyKeyHash), { $case: 'proxy', value });
    await this.#publish(proxyIdRecord(id), { $case: 'proxyReference', value: { id, tenantId } });
    return { id, proxyKeyHash };
  }

  async #knowTenant(id: string): Promise<void> {
    if (!this.#tenants.has(id)) await this.tenant(id);
  }

  async #publish(
    name: RecordName,
    record: NonNullable<PublishedRecord['record']>,
    version = 1,
  ): Promise<void> {
    const names = redisNames(this.prefix);
    await testPublication.put(this.#redis, names, name, { version, record });
    await this.#redis.publish(names.changes, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#redis.quit();
    await this.#server.stop();
  }
}
