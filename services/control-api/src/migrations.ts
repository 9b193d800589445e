import { fileURLToPath } from 'node:url';

import type { Schema } from '@glovebox/platform/db/migrate';

/** Beside both src/ and dist/. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

export const schema: Schema = { folder: migrationsFolder, rights: { appended: [] } };
