import { stringify } from 'yaml';

import { edgeMatches } from './edge-routes.ts';

/** Requests may take as long as the services allow: a load balancer's own default would cut them off. */
const timeouts = { 'proxy-gateway': '300s', 'control-api': '300s' } as const;

/** Of one rule, in every version of the Gateway API. */
const mostMatches = 8;

/** `base/routes.yaml`. */
export function edgeRouteManifest(): string {
  const matches = edgeMatches();
  const rules = (['proxy-gateway', 'control-api'] as const).flatMap((service) =>
    inParts(matches[service], mostMatches).map((part) => ({
      matches: part.map((path) => ({ path })),
      backendRefs: [{ name: service, port: 80 }],
      timeouts: { request: timeouts[service] },
    })),
  );
  const manifest = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'glovebox' },
    spec: { parentRefs: [{ name: 'glovebox' }], rules },
  };
  return [
    '# The one public edge: which service answers what. Made by `npm run render -w deploy/k8s` from the route table of',
    '# deploy/local and the operations of control-api.',
    stringify(manifest),
  ].join('\n');
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
