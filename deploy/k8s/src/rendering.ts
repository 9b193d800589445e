import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const overlays = ['dev', 'prod'] as const;
export type Overlay = (typeof overlays)[number];

const deploy = fileURLToPath(new URL('../..', import.meta.url));
export const routesFile = join(deploy, 'k8s/base/routes.yaml');

/** What kustomize makes of an overlay is kept, so that it can be read, compared and tested where there is no kustomize. */
export function renderedFile(overlay: Overlay): string {
  return join(deploy, 'k8s/rendered', `${overlay}.yaml`);
}

export function header(): string {
  return `# Made by \`npm run render -w deploy/k8s\` from sources with the hash ${sourcesHash()}.\n`;
}

/** Of all that kustomize reads. */
function sourcesHash(): string {
  const hash = createHash('sha256');
  const files = globSync(['k8s/base/**/*', 'k8s/overlays/**/*', 'observability/**/*'], {
    cwd: deploy,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.toSorted()) hash.update(relative(deploy, file)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Undefined when there is no kubectl on the PATH. @throws Error with what kubectl complains about. */
export function render(overlay: Overlay): string | undefined {
  const folder = join(deploy, 'k8s/overlays', overlay);
  try {
    return execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
