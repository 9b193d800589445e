import { setImmediate } from 'node:timers/promises';

import type { IdentifiedCall } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';

/**
 * Does what takes long in pieces, of one call at a time: others' calls are served between two of them, and of those that
 * take long as well one of each tenant waits for its turn.
 * @param piece says whether there is more to do
 * @throws AppError when nobody waits for the answer any more
 */
export function inPieces(
  { evaluations }: VaultContext,
  { call, caller }: IdentifiedCall,
  piece: () => boolean,
): Promise<void> {
  return evaluations.run(caller.tenantId, async () => {
    do {
      await setImmediate();
      if (call.givenUp !== undefined) throw call.givenUp;
    } while (piece());
  });
}
