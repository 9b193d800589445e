import type { Redis } from '@glovebox/platform/db/redis';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import { addCounts } from './add-counts.ts';
import type { InvocationSubject } from './invocation-outline.ts';
import type { RedisNames } from './keys.ts';

const stepMs = 5 * 60_000;
/** The present step and those before it: 55 minutes to an hour. */
const steps = 12;
const keptMs = stepMs * (steps + 1);
const pauseMs = 2000;
/** Fields of all tenants that are counted between two writes. */
const mostFields = 50_000;

/** The requests of an API key. @param hash SHA-256 of it, in hex */
export const keyField = (hash: string) => `key:${hash}`;
const requestsField = (type: InvocationSubject['type'], id: string) => `${type}:${id}`;
const errorsField = (type: InvocationSubject['type'], id: string) => `failed:${type}:${id}`;

export interface RecentCountsOptions {
  readonly redis: Redis;
  readonly names: Pick<RedisNames, 'recentCounts'>;
  /** The counts of the last seconds could not be written. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Counts what proxies, reactors and keys of each tenant do, for the last hour and the whole cluster. They are figures to
 * look at: no request waits for them, and what Redis does not take is lost.
 */
export class RecentCounts implements AsyncDisposable {
  readonly #options: RecentCountsOptions;
  readonly #rounds: AsyncDisposable;
  #counts = new Map<string, Map<string, number>>();
  #fields = 0;

  constructor(options: RecentCountsOptions) {
    this.#options = options;
    this.#rounds = repeatedly(pauseMs, () => this.#write());
  }

  note(tenantId: string, field: string): void {
    let ofTenant = this.#counts.get(tenantId);
    if (ofTenant === undefined) this.#counts.set(tenantId, (ofTenant = new Map()));
    const count = ofTenant.get(field);
    if (count === undefined && this.#fields >= mostFields) return;
    if (count === undefined) this.#fields += 1;
    ofTenant.set(field, (count ?? 0) + 1);
  }

  /** An invocation that has ended. An ephemeral proxy has no id, and is not counted. */
  noteInvocation(tenantId: string, { type, id }: InvocationSubject, failed: boolean): void {
    if (id === undefined) return;
    this.note(tenantId, requestsField(type, id));
    if (failed) this.note(tenantId, errorsField(type, id));
  }

  /** Writes what was counted. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rounds[Symbol.asyncDispose]();
    await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#fields === 0) return;
    const { redis, names, onLost } = this.#options;
    const step = stepOf(Date.now());
    const written = [...this.#counts].map(([tenantId, ofTenant]) =>
      addCounts(redis, names.recentCounts(tenantId, step), keptMs, ofTenant),
    );
    this.#counts = new Map();
    this.#fields = 0;
    await Promise.all(written).catch(onLost);
  }
}

const stepOf = (time: number) => Math.floor(time / stepMs);

/** What was counted of a tenant lately. */
export interface Recent {
  /** When the counting began, 55 minutes to an hour ago. */
  readonly since: Date;
  readonly subjects: readonly {
    readonly subject: Required<InvocationSubject>;
    readonly requests: number;
    readonly errors: number;
  }[];
  /** Requests by field. */
  readonly fields: ReadonlyMap<string, number>;
}

/** @throws Error while Redis is away */
export async function readRecent(
  redis: Redis,
  names: Pick<RedisNames, 'recentCounts'>,
  tenantId: string,
  now = Date.now(),
): Promise<Recent> {
  const first = stepOf(now) - steps + 1;
  const read = Array.from({ length: steps }, (_, at) =>
    redis.hgetall(names.recentCounts(tenantId, first + at)),
  );
  const fields = new Map<string, number>();
  for (const counts of await Promise.all(read)) {
    for (const [field, count] of Object.entries(counts)) {
      fields.set(field, (fields.get(field) ?? 0) + Number(count));
    }
  }
  const subjects = [...fields].flatMap(([field, requests]) => {
    const [type, id] = field.split(':');
    if ((type !== 'proxy' && type !== 'reactor') || id === undefined) return [];
    return [{ subject: { type, id }, requests, errors: fields.get(errorsField(type, id)) ?? 0 } as const];
  });
  return { since: new Date(first * stepMs), subjects, fields };
}
