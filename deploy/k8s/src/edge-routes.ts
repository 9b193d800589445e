import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { type Upstream, routes } from '@glovebox/local/route-table';

export interface PathMatch {
  readonly type: 'PathPrefix' | 'RegularExpression';
  readonly value: string;
}

/**
 * The paths of each service for an edge that follows the Gateway API. Which of two matches counts when one of them is a
 * regular expression is each implementation's own choice, and some let `/` hide all of them. So no two overlap here, and
 * none stands for the rest: control-api's paths are listed like the gateway's, and what nobody serves the edge refuses.
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

/** Those of control-api's operations, an id in them as `*`, and of what it shows to everybody. */
export function controlPaths(): readonly string[] {
  const read = (file: string) => readFileSync(join(checkout, 'services/control-api/src', file), 'utf8');
  const operations = read('transport/routes.ts').matchAll(/\broute\('[a-z]+', '([^']+)'/g);
  const documents = read('documentation/documents.ts').matchAll(/\['(\/[^']+)', of\(/g);
  const paths = [...operations, ...documents].map(([, path]) => path as string);
  return [...new Set(paths.map((path) => path.replaceAll(/:\w+/g, '*')))].toSorted();
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
