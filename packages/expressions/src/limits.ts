/** Limits that keep the work for a body in proportion to its size. */
export interface Limits {
  /** Most expressions in a body, each occurrence counted. */
  readonly maxExpressions: number;
  /** Longest expression between its braces, in characters. */
  readonly maxExpressionLength: number;
  /** Deepest nesting of objects and arrays in a JSON body. */
  readonly maxDepth: number;
  /** Largest filled body, in bytes: few expressions can stand for large values, many times. */
  readonly maxFilledBytes: number;
}

/** All but the size, which depends on whose body it is. */
export type ExpressionLimits = Omit<Limits, 'maxFilledBytes'>;

/** Of `IntegerTable` in packages/platform/src/settings: what an operator can set. */
export const expressionLimitSettings = {
  maxExpressions: [
    'MAX_EXPRESSIONS',
    'Expressions in one body, each occurrence counted',
    { default: 1000, min: 1, max: 100_000 },
  ],
  maxExpressionLength: [
    'MAX_EXPRESSION_LENGTH',
    'Length of an expression where it is found in a body, with the white space around it',
    { default: 4096, min: 36, max: 4096 },
  ],
  // Nested values are parsed and written by recursion: at some thousands of levels no stack holds them.
  maxDepth: [
    'MAX_SEARCHED_NESTING',
    'Levels of a JSON body that is searched or transformed',
    { default: 512, min: 1, max: 1000 },
  ],
} as const;

export const defaultLimits: Limits = {
  maxExpressions: expressionLimitSettings.maxExpressions[2].default,
  maxExpressionLength: expressionLimitSettings.maxExpressionLength[2].default,
  maxDepth: expressionLimitSettings.maxDepth[2].default,
  maxFilledBytes: 32 * 1024 * 1024,
};
