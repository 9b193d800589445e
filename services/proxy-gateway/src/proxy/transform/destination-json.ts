import { isUtf8 } from 'node:buffer';

import { scanJson } from '@glovebox/expressions/scan-json';
import { AppError } from '@glovebox/platform/errors/app-error';

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

/** Of ECMAScript; not yet declared. */
interface ExactJson {
  parse(
    text: string,
    revive: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/** Parsed so that it is written again with the very digits that its numbers had. */
export function parseExactly(text: string): unknown {
  const exact = JSON as unknown as ExactJson;
  return exact.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exact.rawJSON(source) : value,
  );
}
