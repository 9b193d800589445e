import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Overload } from '@glovebox/platform/process/overload';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { FairGate } from '@glovebox/platform/values/fair-gate';
import type { FairSemaphore } from '@glovebox/platform/values/fair-semaphore';
import type { FairTurns } from '@glovebox/platform/values/fair-turns';
import type { JointRounds } from '@glovebox/platform/values/joint-rounds';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { KeyBarrier } from '../crypto/key-barrier.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { VaultEvents } from '../events/vault-events.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Revisions } from '../store/revisions.ts';
import type { RowCache } from '../store/row-cache.ts';
import type { TokenCounts } from '../store/token-counts.ts';
import type { UseCounts } from '../uses/use-counts.ts';
import type { Limits } from './limit-settings.ts';
import type { VaultMetrics } from './metrics.ts';

export interface VaultContext {
  readonly postgres: TenantDatabase;
  /** For statements while a transaction of the same call is open: on connections that no such transaction holds. */
  readonly beside: TenantDatabase;
  readonly published: PublishedRecords;
  readonly keyring: Keyring;
  /** Closed while the vault is sealed. */
  readonly barrier: KeyBarrier;
  readonly sessions: SessionStore;
  readonly uses: UseCounts;
  readonly rows: RowCache;
  readonly revisions: Revisions;
  readonly counts: TokenCounts;
  /** Leaves connections for reads, and lets other calls run between two long writes; tenants take turns. */
  readonly writes: FairSemaphore;
  /** Lists and searches: each may take as long as the statement timeout. */
  readonly queries: FairGate;
  /** Decrypting what clients encrypted takes long. */
  readonly decryptions: FairGate;
  /** Small reads of tokens: those that come while some are being recorded are recorded together. */
  readonly smallReads: JointRounds;
  /** Long evaluations: one of each tenant at a time. */
  readonly evaluations: FairGate;
  /** Of tenants on the event loop. */
  readonly turns: FairTurns;
  readonly overload: Overload;
  readonly limits: Limits;
  readonly idempotency: {
    /** How long an answer is replayed for its idempotency key. */
    readonly retentionMs: number;
    readonly maxAnswerBytes: number;
  };
  readonly cvcRetentionMs: number;
  readonly events: VaultEvents;
  readonly metrics: VaultMetrics;
  readonly logger: Logger;
}
