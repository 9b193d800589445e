import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type { SealRequest, SealResponse } from '@glovebox/protos/vault/v1/vault';

import { checkPlaces } from '../../authorization/place-table.ts';
import type { Sealer } from '../../crypto/sealer.ts';
import { bindingOf, checkItemCount } from './sealed-place.ts';

export async function seal(
  sealer: Sealer,
  { items }: SealRequest,
  { peer }: Pick<UnaryContext, 'peer'>,
): Promise<SealResponse> {
  checkItemCount(items.length);
  const bound = items.map(({ place, plaintext }, position) => ({
    binding: bindingOf(place, position),
    plaintext,
  }));
  checkPlaces('seal', peer, items);
  const sealed: Buffer[] = [];
  for (const { binding, plaintext } of bound) sealed.push(await sealer.seal(binding, plaintext));
  return { sealed };
}
