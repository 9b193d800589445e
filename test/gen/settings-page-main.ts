import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

import { renderSettingsPage } from './settings-page.ts';

const path = join(checkout, 'docs/settings.md');
writeFileSync(path, renderSettingsPage(readFileSync(path, 'utf8')));
