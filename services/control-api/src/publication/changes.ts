import { setTimeout as sleep } from 'node:timers/promises';

import type { Postgres, Queryable, TenantDatabase } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { type AuditEvent, recordAuditEvent } from '../audit/audit-event.ts';
import type { WebhookEvent } from '../events/emit.ts';
import type { OnCheckpoint } from './checkpoints.ts';
import { append } from './outbox.ts';
import type { Projection } from './projection.ts';
import type { Publisher } from './publisher.ts';
import type { NamedRecord, RecordPages } from './record.ts';

/** The result of a change and its published records; pages are read within the transaction. */
export interface ChangeResult<T> {
  readonly result: T;
  readonly records: readonly NamedRecord[] | RecordPages;
  /** Webhook events; absent: none. */
  readonly events?: readonly WebhookEvent[];
}

/** A change without a result. */
export type ChangeEffects = Pick<ChangeResult<unknown>, 'records' | 'events'>;

export interface ChangesDependencies {
  readonly postgres: TenantDatabase;
  readonly projection: Projection;
  readonly publisher: Pick<Publisher, 'flush'>;
  readonly onCheckpoint: OnCheckpoint;
  /** How long a change waits for its publication. */
  readonly publicationTimeoutMs: number;
}

/** The change is stored, and was not published in time. */
class NotPublished extends Error {
  override readonly name = 'NotPublished';

  constructor(cause: unknown) {
    super('stored, not published', { cause });
  }
}

/** Whether `apply` failed with a change that is stored. */
export function isNotPublished(error: unknown): error is AppError {
  return error instanceof AppError && error.cause instanceof NotPublished;
}

/** Every change of published state goes through this class. */
export class Changes {
  readonly #dependencies: ChangesDependencies;

  constructor(dependencies: ChangesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Runs `work`, logs the event and appends its records to the outbox in one transaction, and resolves when they are
   * published: a success answer means that the data plane can read them.
   * @param event for the log, within the scope of its tenant; `recorded` is the tenant if `work` writes the log itself
   * @throws AppError `unavailable` when Redis is away: before anything is written, or, as the message says then,
   * after the change was stored.
   */
  async apply<T>(
    event: AuditEvent | { readonly recorded: string },
    work: (tx: Queryable) => Promise<ChangeResult<T>>,
  ): Promise<T> {
    const { postgres, projection, onCheckpoint } = this.#dependencies;
    await projection.ping();
    const tenantId = 'recorded' in event ? event.recorded : event.tenantId;
    const result = await postgres.forTenant(tenantId).transaction(async (tx) => {
      const changed = await work(tx);
      if (!('recorded' in event)) await recordAuditEvent(tx, event, changed.events);
      await append(tx, changed.records);
      onCheckpoint('appended');
      return changed.result;
    });
    onCheckpoint('committed');
    await this.waitUntilPublished();
    return result;
  }

  /** Stores a change without waiting for its publication. @returns the result of `work` */
  applyLater<T extends ChangeEffects>(event: AuditEvent, work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#dependencies.postgres.forTenant(event.tenantId).transaction(async (tx) => {
      const changed = await work(tx);
      await append(tx, changed.records);
      await recordAuditEvent(tx, event, changed.events);
      return changed;
    });
  }

  /**
   * Changes as parts of an open transaction. Its owner commits it, and then waits for the publication.
   */
  inTransaction(transaction: Postgres): Changes {
    const { onCheckpoint } = this.#dependencies;
    return new Changes({
      ...this.#dependencies,
      postgres: transaction,
      publisher: { flush: () => Promise.resolve() },
      onCheckpoint: (step) => step !== 'committed' && onCheckpoint(step),
    });
  }

  /**
   * Resolves when all that was committed before this call is published.
   * @throws AppError `unavailable`: the message says that the change is stored
   */
  async waitUntilPublished(): Promise<void> {
    const { publisher, publicationTimeoutMs } = this.#dependencies;
    const timer = new AbortController();
    const timeout = sleep(publicationTimeoutMs, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`not published after ${publicationTimeoutMs} ms`);
    });
    timeout.catch(() => undefined);
    try {
      await Promise.race([publisher.flush(), timeout]);
    } catch (error) {
      throw new AppError('unavailable', storedNotPublished, { cause: new NotPublished(error) });
    } finally {
      timer.abort();
    }
  }
}

/** A repeated request would make the change twice, so the message says that it is stored. */
const storedNotPublished =
  'The change is stored, but it could not be published yet. It takes effect as soon as publication is possible again.';
