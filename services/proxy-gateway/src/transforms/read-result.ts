import { AppError } from '@glovebox/platform/errors';

import { isJsonObject } from './json-object.ts';
import { readHeaders } from './read-headers.ts';

export type Side = 'request' | 'response';

/** What a transform returned (interface.md section 4.8). */
export interface TransformResult {
  /** Flat list of names and values. */
  readonly headers: string[];
  /** As JSON has it; undefined for none. */
  readonly body: unknown;
}

/**
 * @param json empty for undefined
 * @param maxHeaderBytes of all headers
 * @throws AppError `internal` for what is no object with `body` and `headers`.
 */
export function readResult(json: string, side: Side, maxHeaderBytes: number): TransformResult {
  const result: unknown = json === '' ? undefined : JSON.parse(json);
  const what = `The ${side} transform`;
  if (!isJsonObject(result)) {
    throw new AppError(
      'internal',
      `${what} must return an object with body and headers; it returned ${kindOf(result)}.`,
    );
  }
  return {
    headers: readHeaders(result['headers'], maxHeaderBytes, `${what} returned`),
    body: result['body'],
  };
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
