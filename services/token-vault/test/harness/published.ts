import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { generateApiKey, hashKey } from '@glovebox/access/api-key';
import { type Redis, createRedis } from '@glovebox/platform/redis';
import { Secret } from '@glovebox/platform/secret';
import type { AccessRule } from '@glovebox/protos/published/v1/published';
import { encodeRecord } from '@glovebox/published/codec';
import { type RecordName, applicationRecord, redisNames, tenantRecord } from '@glovebox/published/keys';
import { encodeMarker } from '@glovebox/published/marker';

import { sharedRedis } from './servers.ts';

export interface TestApplication {
  readonly id: string;
  readonly tenantId: string;
  readonly key: string;
}

export interface ApplicationOptions {
  readonly tenantId: string;
  readonly type?: 'private' | 'public' | 'management';
  readonly permissions?: readonly string[];
  readonly rules?: readonly Partial<AccessRule>[];
}

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
    const marker = encodeMarker({ installationId: randomUUID(), lastEntry: 1 });
    await publisher.#redis.set(redisNames(publisher.prefix).marker, marker);
    return publisher;
  }

  async tenant(settings: Record<string, string> = {}): Promise<string> {
    const id = randomUUID();
    await this.#publish(tenantRecord(id), { $case: 'tenant', value: { id, settings } });
    return id;
  }

  async application(options: ApplicationOptions): Promise<TestApplication> {
    const application = { id: randomUUID(), tenantId: options.tenantId, key: generateApiKey() };
    await this.change(application, options);
    return application;
  }

  async change(application: TestApplication, options: Omit<ApplicationOptions, 'tenantId'>): Promise<void> {
    const { id, tenantId, key } = application;
    const { type = 'private', permissions = [], rules = [] } = options;
    await this.#publish(applicationRecord(hashKey(key)), {
      $case: 'application',
      value: { id, tenantId, type, permissions: [...permissions], rules: rules.map(wholeRule) },
    });
  }

  async revoke(application: TestApplication): Promise<void> {
    await this.#publish(applicationRecord(hashKey(application.key)), { $case: 'tombstone', value: {} });
  }

  async #publish(
    name: RecordName,
    record: NonNullable<Parameters<typeof encodeRecord>[0]['record']>,
  ): Promise<void> {
    const names = redisNames(this.prefix);
    this.#version += 1;
    await this.#redis.set(names.record(name), encodeRecord({ version: this.#version, record }));
    await this.#redis.publish(names.changes, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#redis.quit();
  }
}

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
