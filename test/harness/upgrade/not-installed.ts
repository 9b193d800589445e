import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Package {
  readonly version?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** By their path from the root, e.g. `services/token-vault` or `node_modules/pg`. */
type Packages = Readonly<Record<string, Package>>;

/** What it holds is bundled for user code, and not part of a service. */
const forUserCode = 'packages/user-packages';

/** The packages that the services of a tree need, by its lock file, in other versions than those that are installed in another. */
export function whatIsNotInstalled(tree: string, installation: string): string[] {
  const wanted = packagesOf(join(tree, 'package-lock.json'));
  const installed = packagesOf(join(installation, 'node_modules/.package-lock.json'));
  return neededByServices(wanted)
    .filter((path) => path.includes('node_modules/') && wanted[path]?.version !== installed[path]?.version)
    .map((path) => `${path.replace(/^.*node_modules\//, '')} ${wanted[path]?.version}`);
}

function packagesOf(lockFile: string): Packages {
  return (JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Packages }).packages;
}

function neededByServices(all: Packages): string[] {
  const needed = new Set(Object.keys(all).filter((path) => /^services\/[^/]+$/.test(path)));
  // What is added meanwhile is gone through as well.
  for (const path of needed) {
    for (const name of Object.keys(path === forUserCode ? {} : (all[path]?.dependencies ?? {}))) {
      const found = findFrom(all, path, name);
      if (found !== undefined) needed.add(found);
    }
  }
  return [...needed];
}

/** As Node looks for it: in the package's own modules, then further up. */
function findFrom(all: Packages, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    const at = join(folder, 'node_modules', name);
    const { link, resolved } = all[at] ?? {};
    if (all[at] !== undefined) return link === true ? resolved : at;
    if (folder === '.' || folder === '') return undefined;
  }
}
