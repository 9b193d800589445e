import type { Postgres } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { FairGate } from '@glovebox/platform/values/fair-gate';
import type { Semaphore } from '@glovebox/platform/values/semaphore';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { NamedApplications } from '../calls/named-applications.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { VaultEvents } from '../events/vault-events.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { RowCache } from '../store/row-cache.ts';
import type { TokenCounts } from '../store/token-counts.ts';
import type { Limits } from './limit-settings.ts';
import type { VaultMetrics } from './metrics.ts';

/** What the operations of the vault work with. */
export interface VaultContext {
  readonly postgres: Postgres;
  readonly registry: PublishedRecords;
  readonly named: NamedApplications;
  readonly keyring: Keyring;
  readonly sessions: SessionStore;
  readonly rows: RowCache;
  readonly counts: TokenCounts;
  /** Leaves connections for reads, and the loop to others between two requests that take long. */
  readonly writes: Semaphore;
  /** Lists and searches, which may take as long as a statement may. */
  readonly queries: FairGate;
  /** What clients have encrypted takes long to open. */
  readonly decryptions: FairGate;
  /** Evaluations that take longer than most, one piece at a time. */
  readonly evaluations: FairGate;
  readonly limits: Limits;
  readonly idempotency: {
    /** How long the answer to a write with an idempotency key is given again. */
    readonly retentionMs: number;
    readonly maxAnswerBytes: number;
  };
  /** How long the security code of a card is kept. */
  readonly cvcRetentionMs: number;
  readonly events: VaultEvents;
  readonly metrics: VaultMetrics;
  readonly logger: Logger;
}
