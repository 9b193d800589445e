import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import type { TenantDatabase, Transacting } from '@glovebox/platform/db/postgres';

import type { LastUses } from '../applications/last-uses.ts';
import type { AuditSource, ExportSigner, UsageSource } from '../audit/vault-sources.ts';
import type { Compiler } from '../code/code-problems.ts';
import type { Trier } from '../code/trier.ts';
import type { AsyncRequests } from '../invocations/async-requests.ts';
import type { LiveStreams } from '../invocations/live-streams.ts';
import type { Outlines } from '../invocations/outlines.ts';
import type { ExpiringLimits, InputLimits } from '../limits/input-limits.ts';
import type { InvocationLogs } from '../people/invocation-logs.ts';
import type { TokenSource } from '../people/token-source.ts';
import type { Changes } from '../publication/changes.ts';
import type { RolloutFigures } from '../rollouts/figures.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { TenantEraser } from '../tenants/eraser.ts';
import type { WebhookDeliveries } from '../webhooks/deliveries.ts';

/** The dependencies of all operations. */
export interface Dependencies {
  /** Within the scope of the caller's tenant. */
  readonly postgres: Transacting;
  readonly changes: Changes;
  readonly sealer: Sealer;
  readonly lastUses: LastUses;
  readonly deliveries: WebhookDeliveries;
  /** Of invocations, as the data plane keeps them. */
  readonly outlines: Outlines;
  readonly asyncRequests: AsyncRequests;
  readonly liveStreams: LiveStreams;
  /** Of rollouts, as the data plane counts them. */
  readonly figures: RolloutFigures;
  readonly eraser: TenantEraser;
  readonly compiler: Compiler;
  readonly trier: Trier;
  /** The vault's log of tokens and sessions. */
  readonly audit: AuditSource;
  readonly exportSigner: ExportSigner;
  readonly usage: UsageSource;
  /** The vault's tokens, for people. */
  readonly tokens: TokenSource;
  /** What code wrote, for people. */
  readonly invocationLogs: InvocationLogs;
  readonly inputLimits: InputLimits;
  readonly expiring: ExpiringLimits;
  /** Which destinations may be configured. */
  readonly egressPolicy: EgressPolicy;
}

/** The same before a caller is known. */
export type SharedDependencies = Omit<Dependencies, 'postgres'> & { readonly postgres: TenantDatabase };
