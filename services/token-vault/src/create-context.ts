import type { Redis } from '@glovebox/platform/db/redis';
import { FairGate } from '@glovebox/platform/values/fair-gate';
import { FairSemaphore } from '@glovebox/platform/values/fair-semaphore';
import { FairTurns } from '@glovebox/platform/values/fair-turns';
import { JointRounds } from '@glovebox/platform/values/joint-rounds';
import { redisNames } from '@glovebox/published/keys';

import type { VaultConfig } from './config.ts';
import type { VaultContext } from './context/vault-context.ts';
import { SessionStore } from './sessions/session-store.ts';
import { Revisions } from './store/revisions.ts';
import { RowCache } from './store/row-cache.ts';
import { TokenCounts } from './store/token-counts.ts';
import { UseCounts } from './uses/use-counts.ts';

const connectionsForReads = 2;
const connectionsForQueries = 2;
const decryptionsAtOnce = 4;
/** Each holds the data that it works on. */
const evaluationsAtOnce = 16;
/** One statement records small reads, and those that come meanwhile are in the next. A slow one is not waited for. */
const readsOfRecording = 128;
const patienceMs = 25;

type GivenParts = Pick<
  VaultContext,
  'postgres' | 'beside' | 'published' | 'keyring' | 'barrier' | 'metrics' | 'logger' | 'events' | 'overload'
>;

/** What operations get: of the vault, and of its warm-up. */
export function createContext(
  { limits, idempotency, cvcRetentionMs, database, redis: space }: VaultConfig,
  parts: GivenParts,
  { redis, usesRedis }: Readonly<Record<'redis' | 'usesRedis', Redis>>,
): VaultContext {
  const names = redisNames(space);
  return {
    ...parts,
    sessions: new SessionStore({
      keyring: parts.keyring,
      redis,
      names,
      waitReplicas: space.waitReplicas,
      maxWaiting: limits.waitingSessions,
      maxLive: limits.liveSessions,
    }),
    uses: new UseCounts(usesRedis, names),
    rows: new RowCache({ maxRows: limits.cachedRows, maxBytes: limits.cachedRowBytes }),
    revisions: new Revisions(),
    counts: new TokenCounts(limits),
    writes: new FairSemaphore(
      Math.max(1, database.maxConnections - connectionsForReads - connectionsForQueries),
    ),
    queries: new FairGate(connectionsForQueries),
    decryptions: new FairGate(decryptionsAtOnce),
    smallReads: new JointRounds(readsOfRecording, patienceMs),
    evaluations: new FairGate(evaluationsAtOnce),
    turns: new FairTurns(),
    limits,
    idempotency,
    cvcRetentionMs,
  };
}
