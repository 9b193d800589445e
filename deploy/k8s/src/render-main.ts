import { writeFileSync } from 'node:fs';

import { edgeRouteManifest } from './edge-route-manifest.ts';
import { header, overlays, render, renderedFile, routesFile } from './rendering.ts';

writeFileSync(routesFile, edgeRouteManifest());
for (const overlay of overlays) {
  const manifests = render(overlay);
  if (manifests === undefined) throw new Error('kubectl is needed, for its kustomize');
  writeFileSync(renderedFile(overlay), header() + manifests);
}
