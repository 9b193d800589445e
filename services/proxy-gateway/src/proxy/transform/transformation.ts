import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { Effects } from '../../idempotency/invocation-progress.ts';
import type { RunnerClient } from '../../runner/runner-client.ts';
import type { ReceivedMessage } from '../detokenize/header-expressions.ts';
import type { Invocation } from './run-transform.ts';

/** What the transforms of one request work with, on both of its sides. */
export interface Transformation {
  readonly invocation: Invocation;
  /** As it was received, detokenized: what `proxy` stands for in expressions of the request's side, and only there. */
  readonly received: ReceivedMessage;
  readonly effects: Effects;
  readonly vault: VaultClient;
  readonly runner: RunnerClient;
  readonly maxBytes: number;
  /** Tokens that were made on the way, as the API shows them, by the identifier of their transform. */
  readonly made: Record<string, unknown>;
}

/** A message between two transforms. */
export interface Message {
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  /** Undefined for none. */
  readonly body: Buffer | undefined;
}
