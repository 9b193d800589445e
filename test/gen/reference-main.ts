import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

import { renderFiltersPage } from './filters-page.ts';

writeFileSync(join(checkout, 'docs/filters.md'), renderFiltersPage());
