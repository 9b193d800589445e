import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

import { renderCodePage, renderPackageTypes } from './code-page.ts';
import { renderFiltersPage } from './filters-page.ts';
import { concepts } from './pictures/concepts.ts';
import { draw } from './pictures/draw.ts';

const code = join(checkout, 'docs/code.md');
writeFileSync(code, renderCodePage(readFileSync(code, 'utf8')));
writeFileSync(join(checkout, 'docs/filters.md'), renderFiltersPage());
writeFileSync(join(checkout, 'packages/code-types/packages.d.ts'), renderPackageTypes());
for (const [name, picture] of Object.entries(concepts))
  writeFileSync(join(checkout, `docs/concepts/${name}.svg`), draw(picture));
