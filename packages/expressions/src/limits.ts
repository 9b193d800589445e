/** What keeps the work that a body can cause in proportion to its size. */
export interface Limits {
  /** Most expressions in a body, each occurrence counted. */
  readonly maxExpressions: number;
  /** Longest expression between its braces, in characters. */
  readonly maxExpressionLength: number;
  /** Deepest nesting of objects and arrays in a JSON body. */
  readonly maxDepth: number;
  /** Most parts of a multipart body. */
  readonly maxParts: number;
  /** Largest filled body, in bytes: few expressions can stand for large values, many times. */
  readonly maxFilledBytes: number;
}

export const defaultLimits: Limits = {
  maxExpressions: 1000,
  maxExpressionLength: 4096,
  maxDepth: 512,
  // Browsers send a part for each field of a form; none has this many.
  maxParts: 1000,
  maxFilledBytes: 32 * 1024 * 1024,
};
