import type { KnownNames } from '@glovebox/openapi/known-names';
import { namesOfOperation } from '@glovebox/openapi/names-of-operation';

import type { Route } from './routes.ts';

/** By method and route; there are few of either. */
const known = new Map<string, KnownNames | undefined>();

/** What a route knows of requests; undefined for a method that it refuses, and for what goes on to a destination. */
export function knownBy(method: string, { name, wrapsErrors }: Route): KnownNames | undefined {
  if (wrapsErrors) return undefined;
  const key = `${method} ${name}`;
  if (!known.has(key)) known.set(key, namesOfOperation(method, name));
  return known.get(key);
}
