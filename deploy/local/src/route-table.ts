/** Routes of the public address to the services. */
export type Upstream = 'control-api' | 'proxy-gateway';

export interface Route {
  /** Segments: `*` is one of any name, a final `**` any number of them, also none. */
  readonly path: string;
  readonly upstream: Upstream;
  /** How the contract wants an error of ours wrapped (contract/errors.md#proxy-errors). */
  readonly errorProperty?: 'proxy_error';
}

/** The data plane's paths go to the gateway. The first match counts, and control-api gets the rest. */
export const routes: readonly Route[] = [
  { path: '/proxy/**', upstream: 'proxy-gateway', errorProperty: 'proxy_error' },
  { path: '/tokens/**', upstream: 'proxy-gateway' },
  { path: '/v2/tokens/**', upstream: 'proxy-gateway' },
  { path: '/tokenize/**', upstream: 'proxy-gateway' },
  { path: '/detokenize/**', upstream: 'proxy-gateway' },
  { path: '/token-intents/**', upstream: 'proxy-gateway' },
  { path: '/keys/**', upstream: 'proxy-gateway' },
  { path: '/reactors/*/react/**', upstream: 'proxy-gateway' },
  { path: '/reactors/*/react-async/**', upstream: 'proxy-gateway' },
  { path: '/reactors/*/results/**', upstream: 'proxy-gateway' },
  { path: '/reactors/*/invocations/**', upstream: 'proxy-gateway' },
  { path: '/proxies/*/invocations/**', upstream: 'proxy-gateway' },
  { path: '/sessions/**', upstream: 'proxy-gateway' },
  { path: '/**', upstream: 'control-api' },
];

/**
 * The route of a request target. It is compared as it is, neither decoded nor normalized: the service gets the same
 * text and must not read another path in it.
 */
export function routeOf(target: string): Route {
  const segments = pathOf(target).split('/').slice(1);
  return routes.find((route) => matches(route.path.split('/').slice(1), segments))!;
}

/** Without query; of the absolute form `http://host/path` only the path (RFC 9112 section 3.2.2). */
export function pathOf(target: string): string {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const [path = ''] = target.slice(origin.length).split('?', 1);
  return path === '' ? '/' : path;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.every((part, index) => {
      if (part === '**') return true;
      const segment = segments[index];
      return part === '*' ? segment !== undefined && segment !== '' : segment === part;
    }) &&
    (pattern.at(-1) === '**' || pattern.length === segments.length)
  );
}
