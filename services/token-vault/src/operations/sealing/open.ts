import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type { OpenRequest, OpenResponse } from '@glovebox/protos/vault/v1/vault';

import { checkPlaces } from '../../authorization/place-table.ts';
import type { Sealer } from '../../crypto/sealer.ts';
import { bindingOf, checkItemCount } from './sealed-place.ts';

/** All or nothing: one value that does not open refuses the request, without saying which. */
export async function open(
  sealer: Sealer,
  { items }: OpenRequest,
  { peer }: Pick<UnaryContext, 'peer'>,
): Promise<OpenResponse> {
  checkItemCount(items.length);
  const bound = items.map(({ place, sealed }, position) => ({ binding: bindingOf(place, position), sealed }));
  checkPlaces('open', peer, items);
  const plaintexts: Buffer[] = [];
  for (const { binding, sealed } of bound) plaintexts.push(await sealer.open(binding, sealed));
  return { plaintexts };
}
