import { integer, optional } from '@glovebox/platform/settings/builders';

/** How long published records serve (record-cache.ts). `freshMs` bounds how long a lost announcement goes unnoticed. */
export const cacheSettings = (defaults: { readonly maxEntries: number; readonly freshMs: number }) => ({
  maxEntries: integer('REGISTRY_MAX_ENTRIES', 'Published records kept in memory, of each kind', {
    default: defaults.maxEntries,
    min: 10,
    max: 10_000_000,
  }),
  freshMs: defaults.freshMs,
  maxStaleMs: integer(
    'REGISTRY_MAX_STALE_MS',
    'How long a cached record is used while it cannot be read again: the longest life of a revoked key while Redis is down',
    { default: 900_000, min: 0, max: 86_400_000 },
  ),
  snapshotFolder: optional(
    'REGISTRY_SNAPSHOT_DIR',
    'A folder on the local disk in which the service keeps what is published, signed, so that it can start while Redis is away. Without one it cannot',
  ),
});
