import { guardModes, guardSetting } from '@glovebox/published/response-guard';

import type { Problems } from '../../http/shape.ts';

const booleans = ['true', 'false'] as const;

/**
 * Settings with a meaning, and the values that have one (contract/tenants.md#tenant); others are the tenant's own
 * notes.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  deduplicate_tokens: booleans,
  fingerprint_tokens: booleans,
  disable_ephemeral_proxy: booleans,
  [guardSetting]: guardModes,
  token_deduplication_behavior: ['read_existing', 'update_existing'],
};

export function settingProblems(settings: Readonly<Record<string, string>>): Problems {
  const wrong = Object.entries(settings).flatMap(([name, value]) => {
    const values = Object.hasOwn(known, name) ? known[name] : undefined;
    return values === undefined || values.includes(value) ? [] : [[name, values] as const];
  });
  return Object.fromEntries(
    wrong.map(([name, values]) => [`settings.${name}`, [`must be "${values.join('" or "')}"`]]),
  );
}
