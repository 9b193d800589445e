import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { codeOf } from '@glovebox/platform/errors/code-of';

export const overlays = ['dev', 'prod'] as const;

/** Overlays of prod with another key provider. */
export const keyVariants = ['prod-aws-kms', 'prod-transit'] as const;
/** Overlays of prod with a component. Only their differences from prod are kept. */
const variants = [...keyVariants, 'prod-identity-provider'] as const;

/** The rendered folders: the overlays, and the Job that is in none. */
export const renderings = [...overlays, ...variants, 'restore'] as const;
export type Rendering = (typeof renderings)[number];

const deploy = fileURLToPath(new URL('../..', import.meta.url));
export const routesFile = join(deploy, 'k8s/base/routes.yaml');

/** The output of kustomize is kept, so that it can be read, compared and tested without kustomize. */
export function renderedFile(name: Rendering): string {
  return join(deploy, 'k8s/rendered', `${name}.yaml`);
}

export function header(): string {
  return `# Made by \`npm run render -w deploy/k8s\` from sources with the hash ${sourcesHash()}.\n`;
}

/** Hash of all that kustomize reads. */
function sourcesHash(): string {
  const hash = createHash('sha256');
  const files = globSync(['k8s/{base,components,overlays,restore}/**/*', 'observability/**/*'], {
    cwd: deploy,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.toSorted()) hash.update(relative(deploy, file)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Undefined without kubectl on the PATH. @throws Error with kubectl's message */
export function render(name: Rendering): string | undefined {
  const all = kustomize(name);
  if (all === undefined || !variants.some((variant) => variant === name)) return all;
  const ofProd = new Set(documentsOf(kustomize('prod') ?? ''));
  return documentsOf(all)
    .filter((manifest) => !ofProd.has(manifest))
    .join('---\n');
}

const documentsOf = (manifests: string): readonly string[] => manifests.split(/^---\n/m);

function kustomize(name: Rendering): string | undefined {
  const folder = join(deploy, 'k8s', name === 'restore' ? name : `overlays/${name}`);
  try {
    return execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
