import { samplingSetting } from '@glovebox/published/invocation-outline';
import { guardModes, guardSetting } from '@glovebox/published/response-guard';

import type { Problems } from '../../http/shape.ts';

const booleans = ['true', 'false'] as const;
const percents: readonly string[] = Array.from({ length: 101 }, (_, percent) => String(percent));

/**
 * Settings with a meaning, and the values that have one (contract/tenants.md#tenant); others are the tenant's own
 * notes.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  deduplicate_tokens: booleans,
  fingerprint_tokens: booleans,
  disable_ephemeral_proxy: booleans,
  [guardSetting]: guardModes,
  [samplingSetting]: percents,
  token_deduplication_behavior: ['read_existing', 'update_existing'],
};

export function settingProblems(settings: Readonly<Record<string, string>>): Problems {
  const wrong = Object.entries(settings).flatMap(([name, value]) => {
    const values = Object.hasOwn(known, name) ? known[name] : undefined;
    return values === undefined || values.includes(value) ? [] : [[name, values] as const];
  });
  return Object.fromEntries(
    wrong.map(([name, values]) => [`settings.${name}`, [`must be ${wanted(values)}`]]),
  );
}

function wanted(values: readonly string[]): string {
  return values === percents ? 'a whole number from 0 to 100, as text' : `"${values.join('" or "')}"`;
}
