import { hash, randomUUID } from 'node:crypto';

import { heldTransaction } from '@glovebox/platform/db/held-transaction';
import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Redis } from '@glovebox/platform/db/redis';
import { Overload } from '@glovebox/platform/process/overload';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createHiddenMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';

import { AuditSigner } from './audit/audit-signer.ts';
import type { VaultConfig } from './config.ts';
import { createVaultMetrics } from './context/metrics.ts';
import { createContext } from './create-context.ts';
import { KeyBarrier } from './crypto/key-barrier.ts';
import { Keyring } from './crypto/keyring.ts';
import { keysInMemory } from './crypto/keys-in-memory.ts';
import { Sealer } from './crypto/sealer.ts';
import { VaultEvents } from './events/vault-events.ts';
import { createDekStore } from './store/tenant-keys.ts';
import { serveCalls } from './transport/serve-calls.ts';
import { oneAtATime } from './warm-up/one-at-a-time.ts';
import { type OwnApplication, ownApplication } from './warm-up/own-application.ts';
import { type OwnCalls, connectOwnCalls } from './warm-up/own-calls.ts';

/** So many that V8 has compiled what most of them take (ADR 91). */
const enough = 4000;
const atATime = 500;
/** What V8 compiles for the objects of one vault alone would not fit those of the real one. */
const vaults = 2;

/** What is shared with the vault itself. */
export interface SharedParts {
  readonly postgres: TenantDatabase;
  /** Of which nothing is asked. */
  readonly redis: Redis;
}

/** Ends the transaction of the warm-up without a trace. */
class RolledBack extends Error {}

/**
 * Serves itself calls of every path, with all that serves those of others: its tenants, their keys and their tokens are in
 * one transaction, which is rolled back. Nothing is logged, counted or kept.
 */
export async function warmUpVault(
  config: VaultConfig,
  { postgres: pool, redis }: SharedParts,
  signal: AbortSignal,
  count = enough,
): Promise<void> {
  const owners = Array.from({ length: vaults }, ownApplication);
  const tenants = pool.forTenants(owners.map(({ tenantId }) => tenantId));
  try {
    await tenants.transaction(async (tx) => {
      await using stack = new AsyncDisposableStack();
      const shared = oneAtATime(tx);
      const postgres = heldTransaction(shared, shared);
      const own: OwnCalls[] = [];
      for (const owner of owners) own.push(await startOwnVault(stack, config, { redis, postgres }, owner));
      for (let made = 0; made < count && !signal.aborted; made += atATime)
        await own[(made / atATime) % vaults]!.make(atATime, signal);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  await openConnections(config, pool);
}

/** Each takes some milliseconds of CPU, which the first requests would wait for. */
async function openConnections({ database }: VaultConfig, postgres: TenantDatabase): Promise<void> {
  const opened = Array.from({ length: database.maxConnections }, () =>
    postgres.withoutTenant.query('ping', 'SELECT 1'),
  );
  await Promise.all(opened);
}

async function startOwnVault(
  stack: AsyncDisposableStack,
  config: VaultConfig,
  { postgres, redis }: SharedParts,
  { published, apiKey }: OwnApplication,
): Promise<OwnCalls> {
  const logger = createLogger({
    service: 'token-vault',
    level: config.logLevel,
    destination: { write: () => undefined },
  });
  const metrics = createVaultMetrics(createHiddenMetrics());
  const provider = keysInMemory();
  const keyring = new Keyring({ provider, store: createDekStore(postgres) });
  const events = new VaultEvents({ published, sink: { emit: () => undefined } });
  const overload = stack.use(new Overload(metrics.registry, () => ({ delayMs: 0, memory: 0 })));
  const barrier = KeyBarrier.opened();
  const parts = {
    postgres,
    beside: postgres,
    published,
    keyring,
    barrier,
    metrics,
    logger,
    events,
    overload,
  };
  const context = createContext(config, parts, { redis, usesRedis: redis });
  const keyed = { sealer: new Sealer(keyring), signer: new AuditSigner(postgres.withoutTenant, provider) };
  const token = new Secret(randomUUID());
  const settings = {
    grpc: { host: '127.0.0.1', port: 0, reflection: false },
    peers: { 'proxy-gateway': hash('sha256', token.reveal()) },
    shutdownTimeoutMs: 0,
  };
  const server = stack.use(await serveCalls(settings, context, keyed, undefined));
  server.setServing(true);
  return stack.use(await connectOwnCalls(server.port, token, apiKey));
}
