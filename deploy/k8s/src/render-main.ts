import { writeFileSync } from 'node:fs';

import { edgeRouteManifest } from './edge-route-manifest.ts';
import { header, render, renderedFile, renderings, routesFile } from './rendering.ts';

writeFileSync(routesFile, edgeRouteManifest());
for (const name of renderings) {
  const manifests = render(name);
  if (manifests === undefined) throw new Error('kubectl is needed, for its kustomize');
  writeFileSync(renderedFile(name), header() + manifests);
}
