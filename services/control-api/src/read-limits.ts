import type { EnvReader } from '@glovebox/platform/env';

import { type InputLimits, defaultInputLimits } from './input-limits.ts';

/** How much one request may hold; docs/settings.md. */
export function readInputLimits(env: EnvReader): InputLimits {
  const limit = (name: string, member: keyof InputLimits, max: number) =>
    env.integer(name, { default: defaultInputLimits[member], min: 1, max });
  const bodyBytes = limit('MAX_BODY_BYTES', 'bodyBytes', 16 * 1024 * 1024);
  const heldBytes = limit('MAX_HELD_BYTES', 'heldBytes', 8_589_934_592);
  if (heldBytes < bodyBytes) env.problem('MAX_HELD_BYTES must be at least as much as MAX_BODY_BYTES');
  return {
    bodyBytes,
    heldBytes,
    codeLength: limit('MAX_CODE_LENGTH', 'codeLength', 1_000_000),
    settings: limit('MAX_CONFIGURATION_ENTRIES', 'settings', 1000),
    settingLength: limit('MAX_CONFIGURATION_VALUE_LENGTH', 'settingLength', 100_000),
    declarations: limit('MAX_DECLARATIONS', 'declarations', 1000),
    transforms: limit('MAX_TRANSFORMS', 'transforms', 100),
    transformValueLength: limit('MAX_TRANSFORM_VALUE_LENGTH', 'transformValueLength', 1_000_000),
    patternLength: limit('MAX_PATTERN_LENGTH', 'patternLength', 10_000),
  };
}
