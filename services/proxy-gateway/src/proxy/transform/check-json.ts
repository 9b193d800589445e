import { isUtf8 } from 'node:buffer';

import { scanJson } from '@glovebox/expressions/scan-json';
import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * @param maxDepth what is nested deeper is written by recursion that the stack may not hold
 * @throws AppError for a response that calls itself JSON and cannot be taken for it
 */
export function checkJson(body: Buffer, maxDepth: number): void {
  try {
    if (!isUtf8(body)) throw new Error('not UTF-8');
    scanJson(body, maxDepth, () => undefined);
  } catch (cause) {
    throw new AppError('bad_gateway', 'The destination answered with JSON that is not valid.', { cause });
  }
}
