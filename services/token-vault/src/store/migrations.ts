import { fileURLToPath } from 'node:url';

/** A sibling of both src/ and dist/. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
