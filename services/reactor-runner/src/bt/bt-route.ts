import type { ExpressionLimits } from '@glovebox/expressions/limits';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import type { Reply } from '../replies/reply.ts';
import type { BtRequest, BtResponse } from './bt-request.ts';

/** One request by `bt`, and what its route needs to answer it. */
export interface BtCall {
  readonly vault: VaultClient;
  readonly caller: VaultCaller;
  readonly request: BtRequest;
  readonly expressions: ExpressionLimits;
  /** Of a response. */
  readonly maxBytes: number;
  /** Receives the plaintext that the code reads. */
  readonly known: KnownValues;
  /** Base URL of the error documentation. */
  readonly docsUrl: string;
  /** Invokes another reactor on behalf of the same caller. */
  readonly react: (reactorId: string, body: Buffer, caller: VaultCaller) => Promise<Reply>;
}

/** An endpoint that user code can call by `bt`. */
export interface BtRoute {
  /** Method and path: `GET /tokens/{id}`. */
  readonly name: string;
  /** @param ids of the path, decoded, in order. @throws AppError */
  readonly perform: (call: BtCall, ...ids: [string, string]) => Promise<BtResponse>;
  /** The plaintext in a JSON response; absent where a response holds none. */
  readonly plaintextOf?: (response: unknown) => unknown;
}

export function json(status: number, body: Buffer): BtResponse {
  return { status, headers: { 'content-type': 'application/json' }, body };
}
