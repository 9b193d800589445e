import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { generateApiKey, hashKey } from '@glovebox/access/api-key';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import type {
  AccessRule,
  Proxy,
  PublishedRecord,
  Reactor,
  UseLimits,
} from '@glovebox/protos/published/v1/published';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import {
  type RecordName,
  applicationIdRecord,
  applicationRecord,
  proxyRecord,
  reactorRecord,
  redisNames,
  tenantRecord,
  webhooksRecord,
} from '@glovebox/published/keys';
import { emptyProxy } from '@glovebox/published/records';

import { testPublication } from '../../../../test/harness/test-publication.ts';
import { sharedRedis } from './servers.ts';

export interface TestApplication {
  readonly id: string;
  readonly tenantId: string;
  readonly key: string;
}

export interface ApplicationOptions {
  readonly tenantId: string;
  readonly type?: 'private' | 'public' | 'management' | 'expiring';
  readonly permissions?: readonly string[];
  readonly rules?: readonly Partial<AccessRule>[];
  readonly limits?: UseLimits;
  /** Of an expiring one. */
  readonly madeBy?: string;
}

type Published = NonNullable<PublishedRecord['record']>;

/** Stands for control-api: writes published records as it would. */
export class Publisher implements AsyncDisposable {
  readonly prefix = `test-${randomUUID()}`;
  readonly #redis: Redis;
  #version = 0;

  private constructor(url: string) {
    this.#redis = createRedis({
      url: new Secret(url),
      connectionName: 'test-publisher',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
  }

  static async start(): Promise<Publisher> {
    const publisher = new Publisher((await sharedRedis()).url);
    await once(publisher.#redis, 'ready');
    await testPublication.mark(publisher.#redis, redisNames(publisher.prefix));
    return publisher;
  }

  async tenant(settings: Record<string, string> = {}): Promise<string> {
    const id = randomUUID();
    await this.#publish(tenantRecord(id), {
      $case: 'tenant',
      value: { id, settings, egressPolicy: undefined },
    });
    return id;
  }

  async application(options: ApplicationOptions): Promise<TestApplication> {
    const application = { id: randomUUID(), tenantId: options.tenantId, key: generateApiKey() };
    await this.change(application, options);
    return application;
  }

  async change(application: TestApplication, options: Omit<ApplicationOptions, 'tenantId'>): Promise<void> {
    const { id, tenantId, key } = application;
    const { type = 'private', permissions = [], rules = [], limits, madeBy } = options;
    const record: Published = {
      $case: 'application',
      value: {
        id,
        tenantId,
        type,
        permissions: [...permissions],
        rules: rules.map(wholeRule),
        session: undefined,
        limits,
        madeBy,
        expiresAt: type === 'expiring' ? Date.now() + 3_600_000 : undefined,
      },
    };
    await this.#publish(applicationRecord(hashKey(key)), record);
    await this.#publish(applicationIdRecord(id), record);
  }

  /** The key is gone; the application stays. */
  async revoke(application: TestApplication): Promise<void> {
    await this.#publish(applicationRecord(hashKey(application.key)), tombstone);
  }

  async remove(application: TestApplication): Promise<void> {
    await this.revoke(application);
    await this.#publish(applicationIdRecord(application.id), tombstone);
  }

  /** A proxy that names an application, or none; what may act as it. */
  async proxy(tenantId: string, applicationId: string, more: Partial<Proxy> = {}): Promise<Delegation> {
    const keyHash = hashKey(randomUUID());
    const value = { ...baseProxy, ...ownerOf(tenantId, applicationId), ...more };
    await this.#publish(proxyRecord(keyHash), { $case: 'proxy', value });
    return { owner: { $case: 'proxyKeyHash', value: keyHash }, version: 0, applicationId };
  }

  /** A reactor that names an application, or none; what may act as it. */
  async reactor(tenantId: string, applicationId: string, more: Partial<Reactor> = {}): Promise<Delegation> {
    const value = { ...ownerOf(tenantId, applicationId), ...reactorFields, ...more };
    await this.#publish(reactorRecord(value.id), { $case: 'reactor', value });
    return { owner: { $case: 'reactorId', value: value.id }, version: 0, applicationId };
  }

  /** Has a proxy or reactor name another application from now on. @returns the version that does */
  async rename(tenantId: string, delegation: Delegation, applicationId: string): Promise<number> {
    const { owner, applicationId: former } = delegation;
    if (owner === undefined) throw new Error('expected an owner');
    const name = owner.$case === 'proxyKeyHash' ? proxyRecord(owner.value) : reactorRecord(owner.value);
    const key = redisNames(this.prefix).formerApplication(name, former);
    await this.#redis.set(key, await testPublication.former(key), 'PX', 60_000);
    const fields = ownerOf(tenantId, applicationId);
    if (owner.$case === 'proxyKeyHash') {
      await this.#publish(proxyRecord(owner.value), { $case: 'proxy', value: { ...baseProxy, ...fields } });
    } else {
      const value = { ...fields, ...reactorFields, id: owner.value };
      await this.#publish(reactorRecord(owner.value), { $case: 'reactor', value });
    }
    return this.#version;
  }

  /** A webhook that wants these events, which nobody delivers here; none without any. */
  async webhook(tenantId: string, events: readonly string[]): Promise<void> {
    const endpoints = [{ id: randomUUID(), url: 'https://example.org', events: [...events], secrets: [] }];
    await this.#publish(webhooksRecord(tenantId), { $case: 'webhooks', value: { tenantId, endpoints } });
  }

  get redis(): Redis {
    return this.#redis;
  }

  async #publish(name: RecordName, record: Published): Promise<void> {
    const names = redisNames(this.prefix);
    this.#version += 1;
    await testPublication.put(this.#redis, names, name, { version: this.#version, record });
    await this.#redis.publish(names.changes, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#redis.quit();
  }
}

const tombstone: Published = { $case: 'tombstone', value: {} };

const ownerOf = (tenantId: string, applicationId: string) => ({
  id: randomUUID(),
  tenantId,
  name: 'test',
  applicationId,
  sealedConfiguration: {},
  responseGuard: '',
});
const baseProxy = { ...emptyProxy, destinationUrl: 'https://example.org', requireAuth: true };
const reactorFields = {
  formulaId: randomUUID(),
  code: '',
  declaredConfiguration: [],
  requestParameters: [],
  allowedDestinations: undefined,
};

function wholeRule(rule: Partial<AccessRule>, position: number): AccessRule {
  return {
    priority: position + 1,
    container: '',
    conditions: [],
    transform: 'mask',
    permissions: [],
    ...rule,
  };
}
