import { findExpressions } from '@glovebox/expressions/find-expressions';
import { UsePurpose } from '@glovebox/protos/vault/v1/vault';

import { translated } from '../invocation/detokenize-args.ts';
import type { Offering } from './bt-route.ts';

/**
 * The body with the value of every expression in its place (contract/tokens.md#detokenize). The vault is asked also
 * when there is none, because it is what knows whether the caller may ask.
 */
export async function detokenize({
  vault,
  caller,
  ask,
  expressions,
  maxBytes,
  known,
}: Offering): Promise<Buffer> {
  const bounds = { ...expressions, maxFilledBytes: maxBytes };
  const found = translated(() => findExpressions({ kind: 'json', utf8: true }, ask.body, bounds, true));
  const values = await vault.detokenize(caller, {
    expressions: [...found.expressions],
    purpose: UsePurpose.USE_PURPOSE_DETOKENIZE,
    purposeId: '',
  });
  for (const value of values) known.add(value);
  return translated(() => found.fill(values));
}
