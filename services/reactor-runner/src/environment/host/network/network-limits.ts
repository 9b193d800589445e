import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import type { ListenerAddress } from '@glovebox/egress/own-listeners';

/** What tenants' code may reach, and how much of it one invocation may have. Plain data. */
export interface NetworkOptions {
  readonly policy: EgressPolicy;
  /** Listeners of the platform itself, which are never dialled. */
  readonly ownListeners: readonly ListenerAddress[];
  /** A file of PEM certificates that are trusted on top of Node's own. */
  readonly caFile?: string;
  /** For resolving, connecting and the TLS handshake, and for the wait for a free connection before. */
  readonly connectTimeoutMs: number;
  /** Of one invocation, open at once; more wait. */
  readonly connectionsAtOnce: number;
  /** Of one invocation in all. */
  readonly connections: number;
  /** Of one invocation's connections together, without TLS. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
}
