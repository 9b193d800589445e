import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { SiteFiles } from './build-site.ts';

/** Written by build-main.ts. */
export const builtFile = fileURLToPath(new URL('../dist/site.json', import.meta.url));
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The files of the site: as they were built, or, where services run from source, built now.
 *
 * @throws Error when there is neither a build nor a checkout
 */
export async function openSite(): Promise<SiteFiles> {
  const isSource = import.meta.url.endsWith('.ts');
  if (!isSource && existsSync(builtFile)) return JSON.parse(readFileSync(builtFile, 'utf8')) as SiteFiles;
  const { buildSite } = await import('./build-site.ts');
  return buildSite(checkout);
}
