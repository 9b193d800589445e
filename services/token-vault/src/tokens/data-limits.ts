import { accessLimitSettings } from '@glovebox/access/access-limits';
import { integer } from '@glovebox/platform/settings/builders';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import type { SettingsOf } from '@glovebox/platform/settings/setting';

import { maxPlaintextBytes } from '../crypto/envelope.ts';
import { expressionLimitSettings } from '../expressions/expression-limits.ts';
import { numberProblem } from '../expressions/number-problem.ts';
import type { JsonValue } from '../values/json-value.ts';

/** Bounds of a request for a token. Nesting is limited because values are walked by recursion. */
export const tokenLimitSettings = {
  /** As compact JSON in UTF-8. */
  dataBytes: integer('MAX_TOKEN_DATA_BYTES', 'The data of one token, as JSON', {
    default: 1024 * 1024,
    min: 1,
    max: maxPlaintextBytes,
  }),
  maskBytes: 32 * 1024,
  /** Promised by the API, as the next two. */
  metadataEntries: 100,
  /** In characters (contract/limits.md#field-bounds), as the next. */
  metadataNameLength: 200,
  metadataValueLength: 500,
  searchIndexes: 10,
  dataNesting: integer(
    'MAX_DATA_NESTING',
    'Levels of a token’s data, and of the body around the token requests in `/tokenize`',
    { default: 64, min: 1, max: 100 },
  ),
  /** Levels of objects and lists. */
  maskNesting: 32,
  encryptionBytes: 8 * 1024,
  /** In characters (contract/tokens.md#token-ids). */
  tokenIdLength: integer(...accessLimitSettings.tokenIdLength),
  containerLength: integer(...accessLimitSettings.containerLength),
  /** Of an indexed value; searched values are shorter. */
  searchValueLength: 1000,
  expressions: expressionLimitSettings,
};

export type TokenLimits = SettingsOf<typeof tokenLimitSettings>;

export const defaultTokenLimits: TokenLimits = readSettings(tokenLimitSettings, {});

/**
 * Why a value cannot be the data of a token, if anything. Numbers that a double cannot hold exactly are refused:
 * parsing has rounded them, so the vault could not return what it was given.
 */
export function dataProblem(value: JsonValue, { dataBytes, dataNesting }: TokenLimits): string | undefined {
  return nestedProblem(value, 0, dataNesting) ?? sizeProblem(value, dataBytes);
}

function nestedProblem(value: JsonValue, level: number, deepest: number): string | undefined {
  if (typeof value === 'number') return numberProblem(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (level === deepest) return `must not be nested deeper than ${String(deepest)} levels`;
  for (const item of Object.values(value)) {
    const problem = nestedProblem(item, level + 1, deepest);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function sizeProblem(value: JsonValue, maxBytes: number): string | undefined {
  if (Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return undefined;
  return `must not be larger than ${String(maxBytes)} bytes of JSON`;
}
