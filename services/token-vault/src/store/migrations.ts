import { fileURLToPath } from 'node:url';

import type { Schema } from '@glovebox/platform/db/migrate';

/** A sibling of both src/ and dist/. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Old entries of the audit log are removed by `purge_sealed_audit` alone. */
export const schema: Schema = { folder: migrationsFolder, rights: { appended: ['audit'] } };
