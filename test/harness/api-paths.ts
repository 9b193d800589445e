import type { Method, OpenApiDocument, PathItem } from '@glovebox/openapi/openapi-document';

export interface MatchedPath {
  /** The template, such as `/proxies/{id}`. */
  readonly path: string;
  readonly item: PathItem;
}

/**
 * Finds the described path of an address: the one with the fewest parameters counts (OpenAPI 3.1, paths object), and
 * before it one that knows the method, for an id may be any word.
 */
export function pathFinder({
  paths,
}: OpenApiDocument): (address: string, method: Method) => MatchedPath | undefined {
  const candidates = Object.entries(paths)
    .map(([path, item]) => ({ path, item, pattern: patternOf(path) }))
    .toSorted((a, b) => parametersOf(a.path) - parametersOf(b.path));
  return (address, method) => {
    const matching = candidates.filter(({ pattern }) => pattern.test(address));
    return matching.find(({ item }) => item[method] !== undefined) ?? matching[0];
  };
}

/** What follows `/proxy/` may have any number of segments. */
function patternOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment === '{path}') return '.*';
    return segment.startsWith('{') ? '[^/]+' : RegExp.escape(segment);
  });
  return new RegExp(`^${segments.join('/')}/?$`, 's');
}

function parametersOf(path: string): number {
  return path.split('{').length;
}
