import type { ExpressionLimits } from '@glovebox/expressions/limits';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import type { Answer, Ask } from './bt-request.ts';
import type { ReactOutcome } from './react-answer.ts';

/** What an offer is made with. */
export interface Offering {
  readonly vault: VaultClient;
  readonly caller: VaultCaller;
  readonly ask: Ask;
  readonly expressions: ExpressionLimits;
  /** Of an answer. */
  readonly maxBytes: number;
  /** What the code reads is going to be among them. */
  readonly known: KnownValues;
  /** Where errors are explained. */
  readonly docsUrl: string;
  /** Invokes another reactor on behalf of the same caller. */
  readonly react: (reactorId: string, body: Buffer, caller: VaultCaller) => Promise<ReactOutcome>;
}

/** Something that `bt` can do within user code, by method and path: `GET /tokens/{id}`. */
export interface Offer {
  readonly name: string;
  /** @param ids of the path, decoded, in their order. @throws AppError */
  readonly perform: (offering: Offering, ...ids: [string, string]) => Promise<Answer>;
  /** What of the JSON of an answer is plaintext; absent for answers without any. */
  readonly plaintextOf?: (answer: unknown) => unknown;
}

export function json(status: number, body: Buffer): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

export function noContent(): Answer {
  return { status: 204, headers: {}, body: Buffer.alloc(0) };
}
