import { AppError } from '@glovebox/platform/errors/app-error';

import type { BtRequest } from './bt-request.ts';
import type { BtRoute } from './bt-route.ts';
import { reactRoute } from './react-route.ts';
import { tokenRoutes } from './token-routes.ts';

const routes: readonly BtRoute[] = [...tokenRoutes, reactRoute];

/** A trailing slash makes no difference (contract/conventions.md#addresses). */
const patterns: readonly (readonly [BtRoute, RegExp])[] = routes.map((route) => [
  route,
  new RegExp(`^${route.name.replaceAll('{id}', '([^/]+)')}/?$`),
]);

export interface FoundBtRoute {
  readonly route: BtRoute;
  readonly ids: [string, string];
}

/** The route of a request, and the ids in its path. @throws AppError `not_found` that lists the routes */
export function findBtRoute({ method, path }: Pick<BtRequest, 'method' | 'path'>): FoundBtRoute {
  const address = `${method} ${path}`;
  for (const [route, pattern] of patterns) {
    const match = pattern.exec(address);
    if (match !== null) return { route, ids: [decodeId(match[1]), decodeId(match[2])] };
  }
  const names = routes.map(({ name }) => name).join(', ');
  throw new AppError('not_found', `bt has no such call in user code. It has: ${names}.`);
}

function decodeId(encoded: string | undefined): string {
  try {
    return decodeURIComponent(encoded ?? '');
  } catch {
    throw new AppError('not_found', 'There is nothing with this id.');
  }
}
