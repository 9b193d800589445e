import {
  type Postgres,
  type PostgresOptions,
  createPostgres,
  serverUrl,
} from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { Gauge, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { KeyBarrier } from '../../crypto/key-barrier.ts';
import { type VaultSeal, noteDrop, sealInForce, sealWatchName } from '../../store/vault-seals.ts';

/** With a look that takes as long as it may, keys are dropped within two seconds of the command. */
const lookEveryMs = 500;
const longestLookMs = 1000;

/** A vault that has not been able to look for this long drops the keys that it holds. */
const blindMs = 60_000;

/** Closes and opens the barrier as the database says. */
export class SealWatch {
  readonly #postgres: Pick<Postgres, 'withoutTenant'>;
  readonly #barrier: KeyBarrier;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  #seal: VaultSeal | undefined;
  #lookedAt: number;

  constructor(
    postgres: Pick<Postgres, 'withoutTenant'>,
    barrier: KeyBarrier,
    logger: Pick<Logger, 'warn'>,
    now = () => performance.now(),
  ) {
    this.#postgres = postgres;
    this.#barrier = barrier;
    this.#logger = logger;
    this.#now = now;
    this.#lookedAt = now();
  }

  /** For the readiness check. A sealed vault stays ready, since its answers say that it is sealed. */
  get note(): string | undefined {
    return this.#seal && `the vault is sealed, since ${this.#seal.sealedAt.toISOString()}`;
  }

  /** Looks once; to be repeated. */
  async look(): Promise<void> {
    const asked = this.#now();
    try {
      const found = await sealInForce(this.#postgres.withoutTenant);
      this.#lookedAt = asked;
      this.#follow(found);
      if (found !== undefined) await noteDrop(this.#postgres.withoutTenant, found);
    } catch (err) {
      if (this.#now() - this.#lookedAt < blindMs) return;
      this.#lookedAt = this.#now();
      this.#barrier.drop();
      this.#logger.warn({ err }, 'it is unknown whether the vault is sealed: all keys are unwrapped again');
    }
  }

  #follow(found: VaultSeal | undefined): void {
    if (found?.number !== this.#seal?.number) {
      this.#logger.warn(
        found === undefined ? 'the vault is unsealed' : 'the vault is sealed: no key is in memory',
      );
    }
    this.#seal = found;
    if (found === undefined) this.#barrier.open();
    else this.#barrier.seal();
  }
}

/**
 * On a connection of its own, past any pooler: a look must not wait while all others are busy, and `glovebox vault seal`
 * knows each vault by this connection.
 */
export async function watchSeal(
  database: Pick<PostgresOptions, 'url' | 'directUrl'>,
  barrier: KeyBarrier,
  logger: Pick<Logger, 'warn'>,
  applicationName = sealWatchName,
): Promise<{ readonly watch: SealWatch } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(
    createPostgres({
      url: serverUrl(database),
      maxConnections: 1,
      statementTimeoutMs: longestLookMs,
      connectTimeoutMs: longestLookMs,
      applicationName,
      onError: (err) => logger.warn({ err }, 'a database connection was lost'),
    }),
  );
  const watch = new SealWatch(postgres, barrier, logger);
  await watch.look();
  stack.use(repeatedly(lookEveryMs, () => watch.look()));
  const watching = stack.move();
  return { watch, [Symbol.asyncDispose]: () => watching.disposeAsync() };
}

export function addSealedGauge(metrics: MetricsRegistry, barrier: KeyBarrier): void {
  const gauge: Gauge = new Gauge({
    name: 'glovebox_vault_sealed',
    help: '1 while the vault is sealed by its operator and answers nothing that needs a key.',
    registers: [metrics],
    collect: () => gauge.set(barrier.state === 'sealed' ? 1 : 0),
  });
}
