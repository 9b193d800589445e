import { AppError } from '@glovebox/platform/errors/app-error';
import { isJsonObject } from '@glovebox/platform/values/json-object';

import { readHeaders } from './header-list.ts';

export type MessageSide = 'request' | 'response';

/** What a transform returned (contract/transforms.md#code). */
export interface TransformResult {
  /** Flat list of names and values. */
  readonly headers: string[];
  /** As JSON has it; undefined for none. */
  readonly body: unknown;
}

/**
 * @param json empty for undefined
 * @param maxHeaderBytes of all headers
 * @param hadBody whether there was one to transform: without one, a result that names it has none either
 * @throws AppError `internal` unless it is an object with `body` or `headers`
 */
export function readResult(
  json: string,
  side: MessageSide,
  hadBody: boolean,
  maxHeaderBytes: number,
): TransformResult {
  const what = `The ${side} transform`;
  const result = json === '' ? undefined : parse(json);
  const found = isJsonObject(result) ? withoutEither(result, hadBody) : kindOf(result);
  if (!isJsonObject(result) || found !== undefined) {
    throw new AppError(
      'internal',
      `${what} must return an object with body and headers; it returned ${found}.`,
    );
  }
  return {
    headers: readHeaders(result['headers'], maxHeaderBytes, `${what} returned`),
    body: result['body'],
  };
}

/** Without the names: code may have taken a value for one. */
function withoutEither(result: Readonly<Record<string, unknown>>, hadBody: boolean): string | undefined {
  const names = Object.keys(result);
  if (names.includes('body') || names.includes('headers') || (names.length === 0 && !hadBody))
    return undefined;
  const others = names.length === 1 ? '1 other property' : `${names.length} other properties`;
  return `an object with neither of them, and with ${others}`;
}

/** What `parse` gives for a text that is no JSON: code may replace its isolate's JSON.stringify. */
const noJson = Symbol('no JSON');

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return noJson;
  }
}

function kindOf(value: unknown): string {
  if (value === noJson) return 'no JSON';
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
