import { routeOf, routes } from '@glovebox/local/route-table';
import { expect } from 'chai';
import fc from 'fast-check';

import { type PathMatch, controlPaths, edgeMatches } from '../src/edge-routes.ts';
import { overlays } from '../src/rendering.ts';
import { ofKind, readManifests } from './harness/manifests.ts';

interface Rule {
  readonly matches: readonly { readonly path: PathMatch }[];
  readonly backendRefs: readonly { readonly name: string; readonly port: number }[];
  readonly timeouts: { readonly request: string };
}

for (const overlay of overlays) {
  describe(`the edge of ${overlay}`, () => {
    const manifests = readManifests(overlay);
    const [route] = ofKind(manifests, 'HTTPRoute');
    const rules = route?.spec?.['rules'] as readonly Rule[];
    const all = rules.flatMap(({ matches, backendRefs }) =>
      matches.map(({ path }) => ({ path, service: backendRefs[0]?.name })),
    );
    /** Every service whose paths hold this one: one at the most, whatever order they are looked at in. */
    const servicesOf = (path: string) => [
      ...new Set(all.filter((match) => holds(match.path, path)).map(({ service }) => service)),
    ];

    it('is one route, attached to the gateway of the overlay', () => {
      const gateways = ofKind(manifests, 'Gateway').map(({ metadata }) => metadata.name);
      expect(gateways).to.deep.equal(['glovebox']);
      expect(route?.spec?.['parentRefs']).to.deep.equal([{ name: 'glovebox' }]);
      expect(ofKind(manifests, 'HTTPRoute')).to.have.length(1);
    });

    it('leaves paths, and headers with an underscore, as they are, and idle connections in time', () => {
      const [client] = ofKind(manifests, 'ClientTrafficPolicy');
      const [backend] = ofKind(manifests, 'BackendTrafficPolicy');
      expect(client?.spec).to.deep.include({
        targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'glovebox' }],
        path: { escapedSlashesAction: 'KeepUnchanged', disableMergeSlashes: true },
        headers: { withUnderscoresAction: 'Allow' },
      });
      expect(backend?.spec).to.deep.include({
        targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'glovebox' }],
        timeout: { http: { connectionIdleTimeout: '60s' } },
      });
    });

    it('leads to the two public services, at ports of theirs', () => {
      const served = ofKind(manifests, 'Service').map(({ metadata, spec = {} }) => {
        const [first] = spec['ports'] as { port: number }[];
        return [metadata.name, first?.port];
      });
      const backends = rules.flatMap(({ backendRefs }) => backendRefs.map(({ name, port }) => [name, port]));
      expect(served).to.deep.include.members(backends);
      expect(new Set(backends.map(([name]) => name))).to.deep.equal(
        new Set(['control-api', 'proxy-gateway']),
      );
    });

    it('has no rule with more matches than every version of the Gateway API takes', () => {
      for (const { matches } of rules) expect(matches.length).to.be.within(1, 8);
      expect(rules.length).to.be.at.most(16);
    });

    it('sends what the route table gives to the gateway there', () => {
      const paths = routes
        .filter(({ upstream }) => upstream === 'proxy-gateway')
        .flatMap(({ path }) => {
          const start = path.slice(0, -'/**'.length).replaceAll('*', 'a%20b');
          return [start, `${start}/`, `${start}/x`, `${start}/x/y`, `${start}//`];
        });
      for (const path of paths) expect(servicesOf(path), path).to.deep.equal(['proxy-gateway']);
    });

    it('sends every operation of control-api there', () => {
      const paths = controlPaths().flatMap((path) => {
        const filled = path.replaceAll('*', '7b1f-x');
        return [filled, `${filled}/`];
      });
      expect(paths).to.include.members(['/proxies', '/reactors/7b1f-x', '/tenants/self']);
      for (const path of paths) expect(servicesOf(path), path).to.deep.equal(['control-api']);
    });

    it('never sends a path elsewhere than the route table, in whatever order matches are ranked', () => {
      const words = Object.values(edgeMatches())
        .flat()
        .flatMap(({ value }) => value.split(/[^a-z-]+/).filter((word) => word.length > 2));
      const segment = fc.oneof(
        fc.constantFrom(...new Set(words), 'v2', '..', '.', '', 'x', '%2F', 'REACTORS'),
        fc.webSegment(),
      );
      const property = fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
        const path = `/${segments.join('/')}`;
        const found = servicesOf(path);
        return found.length === 0 || (found.length === 1 && found[0] === routeOf(path).upstream);
      });
      fc.assert(property, { numRuns: 20_000 });
    });

    it('gives requests as long as the services themselves do', () => {
      for (const { backendRefs, timeouts } of rules) {
        expect(timeouts.request, backendRefs[0]?.name).to.equal('300s');
      }
    });
  });
}

/** As the Gateway API has it: prefixes by whole segments; expressions anywhere in the path, as the least strict have it. */
function holds({ type, value }: PathMatch, path: string): boolean {
  if (type === 'RegularExpression') return new RegExp(value).test(path);
  return path === value || path.startsWith(`${value}/`);
}
