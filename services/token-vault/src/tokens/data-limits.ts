import { type ExpressionLimits, defaultExpressionLimits } from '../expressions/expression-limits.ts';
import { numberProblem } from '../expressions/number-problem.ts';
import type { JsonValue } from '../values/json-value.ts';

/** Of what a request for a token may hold; docs/settings.md. */
export interface TokenLimits {
  /** Of data, as compact JSON in UTF-8. */
  readonly dataBytes: number;
  readonly maskBytes: number;
  readonly metadataEntries: number;
  /** In characters (contract/limits.md#field-bounds), as the next. */
  readonly metadataNameLength: number;
  readonly metadataValueLength: number;
  readonly searchIndexes: number;
  /** Levels of objects and arrays in data, and around the requests for tokens in what is tokenized. */
  readonly dataNesting: number;
  readonly maskNesting: number;
  readonly encryptionBytes: number;
  /** In characters (contract/tokens.md#token-ids). */
  readonly tokenIdLength: number;
  readonly containerLength: number;
  /** Of the value of a search index; what is searched for is shorter. */
  readonly searchValueLength: number;
  readonly expressions: ExpressionLimits;
}

export const defaultTokenLimits: TokenLimits = {
  dataBytes: 1024 * 1024,
  maskBytes: 32 * 1024,
  metadataEntries: 100,
  metadataNameLength: 200,
  metadataValueLength: 500,
  searchIndexes: 10,
  dataNesting: 64,
  maskNesting: 32,
  encryptionBytes: 8 * 1024,
  tokenIdLength: 400,
  containerLength: 400,
  searchValueLength: 1000,
  expressions: defaultExpressionLimits,
};

/**
 * What keeps a value from being a token's data, if anything. Numbers that a double cannot hold exactly are refused:
 * they have been rounded when the request was parsed, and a vault gives back what it was given or nothing.
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
