import type { VaultClient } from '@glovebox/vault-client/vault-client';

import type { RunnerClient } from '../../runner/runner-client.ts';
import type { ReadMessage } from '../detokenize/header-expressions.ts';

/** What the transforms of a request need. */
export interface RequestTransformDependencies {
  readonly vault: Pick<VaultClient, 'detokenize' | 'createToken'>;
  readonly runner: Pick<RunnerClient, 'transform' | 'requireConnection'>;
  readonly maxTransformedBytes: number;
}

export interface TransformDependencies extends RequestTransformDependencies {
  readonly runner: Pick<RunnerClient, 'transform' | 'run' | 'requireConnection'>;
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
