/** Builds the site for images. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { buildSite } from './build-site.ts';
import { builtFile } from './open-site.ts';

writeFileSync(builtFile, JSON.stringify(buildSite(fileURLToPath(new URL('../../..', import.meta.url)))));
