import { type AccessLimits, defaultAccessLimits, longestContainer } from './access-limits.ts';

/** The part of a reader of settings that is needed here; `EnvReader` of packages/platform is one. */
export interface IntegerReader {
  integer(
    name: string,
    options: { readonly default: number; readonly min: number; readonly max: number },
  ): number;
}

/**
 * The limits that an operator has set; docs/settings.md. The same in all services that read rules.
 *
 * @param tokenIdLength longest id of a token, in characters: a condition may name one
 */
export function readAccessLimits(reader: IntegerReader, tokenIdLength: number): AccessLimits {
  const limit = (name: string, member: keyof AccessLimits, min: number, max: number) =>
    reader.integer(name, { default: defaultAccessLimits[member], min, max });
  // The default containers of all types have to fit.
  const containerLength = limit('MAX_CONTAINER_LENGTH', 'containerLength', 32, longestContainer);
  return {
    rules: limit('MAX_RULES', 'rules', 1, 1000),
    descriptionLength: limit('MAX_DESCRIPTION_LENGTH', 'descriptionLength', 1, 10_000),
    permissions: limit('MAX_PERMISSIONS', 'permissions', 1, 1000),
    conditions: limit('MAX_CONDITIONS', 'conditions', 1, 100),
    conditionValueLength: Math.max(containerLength, tokenIdLength),
    containerLength,
  };
}
