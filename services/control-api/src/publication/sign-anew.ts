import type { Queryable } from '@glovebox/platform/db/postgres';
import type { SignedMarker } from '@glovebox/published/marker';

import { readInstallation } from './outbox.ts';
import { type RoundDependencies, inTurn } from './publish-round.ts';

/**
 * Signs every record anew and raises the floor: a superseded record that an attacker puts back is
 * refused from then on, even by readers that have never seen the newer one. Others publish between the pages.
 * @returns whether it got to the end; not when the projection has to be rebuilt, which signs everything too
 */
export async function signAnew(dependencies: RoundDependencies): Promise<boolean> {
  const { postgres, projection, sources } = dependencies;
  const begun = await inTurn(dependencies, async (tx) => {
    const marker = await ownMarker(dependencies, tx);
    return marker && { floor: projection.nextFloor(), floorEntry: marker.lastEntry };
  });
  if (begun === undefined) return false;
  const sign = (page?: Parameters<typeof projection.resign>[2]) =>
    inTurn(dependencies, async (tx, token) => {
      const marker = await ownMarker(dependencies, tx);
      if (marker === undefined) return false;
      const raised = page === undefined && marker.floor < begun.floor ? begun : {};
      await projection.resign(token, { ...marker, ...raised }, page);
      return true;
    });
  for (const source of sources) {
    for await (const page of source(postgres)) {
      if (!(await sign(page))) return false;
    }
  }
  return sign();
}

/** Undefined while the projection has to be rebuilt. */
async function ownMarker(
  { projection }: RoundDependencies,
  tx: Queryable,
): Promise<SignedMarker | undefined> {
  const [installation, marker] = [await readInstallation(tx), await projection.marker()];
  const isOwn = marker?.installationId === installation.id && marker.lastEntry >= installation.lastPublished;
  return isOwn ? marker : undefined;
}
