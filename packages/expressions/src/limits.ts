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
  maxExpressionLength: [
    'MAX_EXPRESSION_LENGTH',
    'Length of an expression where it is found in a body, with the white space around it',
    { default: 4096, min: 36, max: 4096 },
  ],
} as const;

export const expressionBounds = {
  /** The vault evaluates no more for one request. */
  maxExpressions: 1000,
  /** Nested values are parsed and written by recursion: at some thousands of levels no stack holds them. */
  maxDepth: 512,
};

export const defaultLimits: Limits = {
  ...expressionBounds,
  maxExpressionLength: expressionLimitSettings.maxExpressionLength[2].default,
  maxFilledBytes: 32 * 1024 * 1024,
};
