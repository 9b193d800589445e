import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { type Upstream, routes } from '@glovebox/local/route-table';

export interface PathMatch {
  readonly type: 'PathPrefix' | 'RegularExpression';
  readonly value: string;
}

/**
 * The paths of each service for a load balancer that follows the Gateway API. When two matches overlap and one is a
 * regular expression, each implementation chooses for itself, and some let `/` hide all others. So no two overlap
 * here, and none is a fallback: control-api's paths are listed like the gateway's, and the load balancer refuses all
 * others.
 */
export function edgeMatches(): Readonly<Record<Upstream, readonly PathMatch[]>> {
  const gateway = routes.filter(({ upstream }) => upstream === 'proxy-gateway').map(({ path }) => path);
  const shared = new Set(gateway.filter((path) => path.includes('*/')).map(firstSegment));
  return {
    'proxy-gateway': gateway.map(matchOf),
    'control-api': unique(
      controlPaths().map((path) =>
        shared.has(firstSegment(path)) ? expression(path, '/?') : matchOf(`/${firstSegment(path)}/**`),
      ),
    ),
  };
}

/** The paths of control-api's operations, with `*` for an id, of its public pages, of the console, and of the public keys. */
export function controlPaths(): readonly string[] {
  const read = (file: string) => readFileSync(join(checkout, 'services/control-api/src', file), 'utf8');
  const operations = read('transport/routes.ts').matchAll(/\broute\('[a-z]+', '([^']+)'/g);
  const documents = read('documentation/documents.ts').matchAll(/\['(\/[^']+)', of\(/g);
  const keys = read('transport/serve-audit-keys.ts').matchAll(/Path = '(\/[^']+)'/g);
  const paths = [...operations, ...documents, ...keys].map(([, path]) => path as string);
  return [...new Set([...paths, '/console'].map((path) => path.replaceAll(/:\w+/g, '*')))].toSorted();
}

/** @param pattern as in the route table: it ends with `/**`. */
function matchOf(pattern: string): PathMatch {
  const start = pattern.slice(0, -'/**'.length);
  return start.includes('*') ? expression(start, '(/.*)?') : { type: 'PathPrefix', value: start };
}

/** Anchored, since some implementations look for it anywhere in the path. */
function expression(path: string, end: string): PathMatch {
  return { type: 'RegularExpression', value: `^${path.replaceAll('*', '[^/]+')}${end}$` };
}

function firstSegment(path: string): string {
  return path.split('/')[1] as string;
}

function unique(matches: readonly PathMatch[]): readonly PathMatch[] {
  return [...new Map(matches.map((match) => [match.value, match])).values()];
}
