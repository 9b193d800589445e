import type { ExpressionLimits } from '@glovebox/expressions/limits';

/** Of what one request or answer may hold, besides its bytes; docs/settings.md. */
export interface Bounds {
  /** Of bodies, headers and transforms. */
  readonly expressions: ExpressionLimits;
  /** Of the headers that code returns, and of one header with the values of its expressions in it. */
  readonly headerBytes: number;
  /** How many times as large a body may become when its Content-Encoding is undone. */
  readonly decodedRatio: number;
  /** Items of one page. */
  readonly pageSize: number;
}
