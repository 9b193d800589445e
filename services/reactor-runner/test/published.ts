import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { generateApiKey, generateProxyKey, hashKey } from '@glovebox/access/api-key';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import type {
  AccessRule,
  Proxy,
  PublishedRecord,
  Reactor,
  Webhook,
} from '@glovebox/protos/published/v1/published';
import { encodeRecord } from '@glovebox/published/codec';
import {
  type RecordName,
  applicationIdRecord,
  applicationRecord,
  proxyIdRecord,
  proxyRecord,
  reactorRecord,
  redisNames,
  webhooksRecord,
} from '@glovebox/published/keys';
import { encodeMarker } from '@glovebox/published/marker';
import { emptyProxy } from '@glovebox/published/records';

/** Stands for control-api: writes published records to a Redis of its own, as it would. */
export class Publisher implements AsyncDisposable {
  readonly prefix = 'test';
  readonly #server: RunningRedis;
  readonly #redis: Redis;

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
    const marker = encodeMarker({ installationId: randomUUID(), lastEntry: 1 });
    await redis.set(redisNames(publisher.prefix).marker, marker);
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
    await this.#redis.set(names.record(name), encodeRecord({ version: 2, record }));
    await this.#redis.publish(names.changes, name);
  }

  get redis(): Redis {
    return this.#redis;
  }

  get url(): Secret<string> {
    return new Secret(this.#server.url);
  }

  /** @returns its id */
  async reactor(tenantId: string, code: string, more: Partial<Reactor> = {}): Promise<string> {
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
      sealedConfiguration: {},
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
    const value = { tenantId, endpoints: [...endpoints] };
    await this.#publish(webhooksRecord(tenantId), { $case: 'webhooks', value });
  }

  /** @returns its id, and the hash of its key */
  async proxy(tenantId: string, more: Partial<Proxy>): Promise<{ id: string; proxyKeyHash: string }> {
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

  async #publish(name: RecordName, record: NonNullable<PublishedRecord['record']>): Promise<void> {
    const names = redisNames(this.prefix);
    await this.#redis.set(names.record(name), encodeRecord({ version: 1, record }));
    await this.#redis.publish(names.changes, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#redis.quit();
    await this.#server.stop();
  }
}
