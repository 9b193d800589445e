import { findExpressions } from '@glovebox/expressions/find-expressions';

import { encryptedRequired, isEncrypted } from '../detokenize/evaluate.ts';
import { stepsOf } from '../resolve/transform-steps.ts';
import type { Invocation } from './run-transform.ts';

/**
 * Refuses a request without SVC-ENCRYPTED whose response would be transformed by it: once the destination was called, its answer
 * could not be shown.
 * @throws AppError `invalid_argument`
 */
export function requireEncrypted({ exchange, proxy }: Invocation): void {
  if ((exchange.headers.encrypted ?? '') !== '') return;
  // Nothing is filled.
  const limits = { ...exchange.bounds.expressions, maxFilledBytes: 0 };
  for (const { type, value } of stepsOf(proxy, 'response')) {
    if (type !== 'tokenize' || !value.includes('encrypted')) continue;
    const grammar = { kind: 'json', utf8: true } as const;
    const { expressions } = findExpressions(grammar, Buffer.from(value), limits, true);
    if (expressions.some(isEncrypted)) throw encryptedRequired();
  }
}
