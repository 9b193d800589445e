import { fileURLToPath } from 'node:url';

/** Beside both src/ and dist/. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
