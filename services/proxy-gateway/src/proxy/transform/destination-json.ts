import { isUtf8 } from 'node:buffer';

import { scanJson } from '@glovebox/expressions/scan-json';
import { AppError } from '@glovebox/platform/errors/app-error';
import { sourcedJson } from '@glovebox/platform/values/sourced-json';

/**
 * @param maxDepth deeper nesting could exhaust the stack when it is written
 * @throws AppError `bad_gateway` for a response that calls itself JSON and is none
 */
export function checkJson(body: Buffer, maxDepth: number): void {
  try {
    if (!isUtf8(body)) throw new Error('not UTF-8');
    scanJson(body, maxDepth, () => undefined);
  } catch (cause) {
    throw new AppError('bad_gateway', 'The destination answered with JSON that is not valid.', { cause });
  }
}

/** Parsed so that it is written again with the very digits that its numbers had. */
export function parseExactly(text: string): unknown {
  return sourcedJson.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? sourcedJson.rawJSON(source) : value,
  );
}
