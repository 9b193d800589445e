import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { RunnerClient } from '../../runner/runner-client.ts';
import type { ReadMessage } from '../detokenize/header-expressions.ts';

export interface TransformDependencies {
  readonly vault: VaultClient;
  readonly runner: RunnerClient;
  readonly maxTransformedBytes: number;
}

/** A message between two transforms. */
export interface Message {
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  /** Undefined for none. */
  readonly body: Buffer | undefined;
}

/**
 * The message whose parts the expressions of a transform name: `proxy` on the request's side, `res` on the response's.
 */
export type ExpressionSource =
  | { readonly side: 'request'; readonly message: ReadMessage }
  | { readonly side: 'response'; readonly res: () => unknown };
