import { AppError } from '@glovebox/platform/errors/app-error';
import { isNestedDeeper } from '@glovebox/platform/values/json-nesting';

import { type JsonObject, type JsonValue, isJsonObject, parseJson } from './json-value.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Nesting is limited because values are walked by recursion. */
export interface BodyLimits {
  readonly bodyBytes: number;
  readonly bodyNesting: number;
}

/** Parses strict JSON, or fails with a 400. The parser's message is dropped, because it quotes the text. */
export function readJsonBody(body: Buffer, { bodyBytes, bodyNesting }: BodyLimits): JsonValue {
  if (body.length > bodyBytes)
    throw new AppError('too_large', `The body may have at most ${bodyBytes} bytes.`);
  if (isNestedDeeper(body, bodyNesting))
    throw invalid(`The body may be nested at most ${bodyNesting} levels deep.`);
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
  try {
    return parseJson(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
}

/** @throws AppError `invalid_argument` */
export function requireObject(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalid('The request body must be a JSON object.');
}

function invalid(message: string): AppError {
  return new AppError('invalid_argument', message);
}
