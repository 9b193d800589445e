import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { edgeRouteManifest } from '../src/edge-route-manifest.ts';
import { header, render, renderedFile, renderings, routesFile } from '../src/rendering.ts';
import { type Manifest, nameOf, parseManifests, readManifests } from './harness/manifests.ts';

const renderAgain = 'run `npm run render -w deploy/k8s`';

describe('what kustomize makes of the overlays', () => {
  it('has the routes that the services serve now', () => {
    expect(readFileSync(routesFile, 'utf8'), renderAgain).to.equal(edgeRouteManifest());
  });

  for (const name of renderings) {
    it(`is kept as it is for ${name}, made of the sources that lie beside it`, () => {
      const [first] = readFileSync(renderedFile(name), 'utf8').split('\n', 1);
      expect(`${first}\n`, renderAgain).to.equal(header());
    });

    it(`is for ${name} what kubectl makes of it here`, function () {
      const manifests = render(name);
      if (manifests === undefined) {
        process.stderr.write(
          `SKIPPED: no kubectl on the PATH, so nothing renders ${name}; its kept rendering is tested\n`,
        );
        this.skip();
      }
      const byName = (all: readonly Manifest[]) => new Map(all.map((one) => [nameOf(one), one]));
      expect(byName(parseManifests(manifests))).to.deep.equal(byName(readManifests(name)));
    });
  }
});
