import { type Limits, defaultLimits } from './limits.ts';

/** The part of a reader of settings that is needed here; `EnvReader` of packages/platform is one. */
export interface IntegerReader {
  integer(
    name: string,
    options: { readonly default: number; readonly min: number; readonly max: number },
  ): number;
}

/** All but the size, which depends on whose body it is. */
export type ExpressionLimits = Omit<Limits, 'maxFilledBytes'>;

/** The limits that an operator has set; docs/settings.md. The same in all services that read bodies. */
export function readExpressionLimits(reader: IntegerReader): ExpressionLimits {
  const limit = (name: string, member: keyof ExpressionLimits, min: number, max: number) =>
    reader.integer(name, { default: defaultLimits[member], min, max });
  return {
    maxExpressions: limit('MAX_EXPRESSIONS', 'maxExpressions', 1, 100_000),
    maxExpressionLength: limit('MAX_EXPRESSION_LENGTH', 'maxExpressionLength', 36, 4096),
    // What is nested is parsed and written again by recursion: at some thousands of levels no stack holds it.
    maxDepth: limit('MAX_SEARCHED_NESTING', 'maxDepth', 1, 1000),
    maxParts: limit('MAX_MULTIPART_PARTS', 'maxParts', 1, 100_000),
  };
}
