import { AppError } from '@glovebox/platform/errors/app-error';
import type { LeakPatterns } from '@glovebox/platform/redaction/leak-patterns';
import { LeakSearch } from '@glovebox/platform/redaction/leak-search';
import { overwritten } from '@glovebox/platform/redaction/overwrite';
import type { GuardMode } from '@glovebox/published/response-guard';

import type { RawResponse } from '../http/exchange.ts';

/** The leak guard of one request, and what it has found in the answer (contract/proxies.md#leak-guard). */
export class ResponseGuard {
  readonly mode: Exclude<GuardMode, 'off'>;
  readonly patterns: LeakPatterns;
  /** Where values were found. */
  inHeaders = false;
  inBody = false;
  /** A part of the answer passed without being searched. */
  unsearched = false;

  constructor(mode: ResponseGuard['mode'], patterns: LeakPatterns) {
    this.mode = mode;
    this.patterns = patterns;
  }

  get hasFound(): boolean {
    return this.inHeaders || this.inBody;
  }

  /**
   * The head of an answer, as it may pass: its reason phrase, and a flat list of names and values.
   * @throws AppError `response_leaks_value`
   */
  checkHead(phrase: string, headers: string[]): { readonly phrase: string; readonly headers: string[] } {
    const head = `${phrase}\n${headers.join('\n')}`;
    const isShort = head.length <= scratch.length;
    const bytes = isShort ? scratch.subarray(0, scratch.write(head, 'latin1')) : Buffer.from(head, 'latin1');
    const found = new LeakSearch(this.patterns).push(bytes);
    if (found.length === 0) return { phrase, headers };
    this.inHeaders = true;
    if (this.mode === 'refuse') throw leaks();
    if (this.mode === 'report') return { phrase, headers };
    const masked = overwritten(bytes, found).toString('latin1');
    let at = phrase.length + 1;
    const maskedHeaders = headers.map(({ length }) => {
      const text = masked.slice(at, at + length);
      at += length + 1;
      return text;
    });
    return { phrase: masked.slice(0, phrase.length), headers: maskedHeaders };
  }

  /**
   * A whole body, as it may pass.
   * @throws AppError `response_leaks_value`
   */
  checkBody(body: Buffer): Buffer {
    const found = new LeakSearch(this.patterns).push(body);
    if (found.length === 0) return body;
    this.inBody = true;
    if (this.mode === 'refuse') throw leaks();
    return this.mode === 'mask' ? overwritten(body, found) : body;
  }
}

/**
 * A whole answer, as it may pass.
 * @throws AppError `response_leaks_value`
 */
export function guarded(response: RawResponse, guard: ResponseGuard | undefined): RawResponse {
  if (guard === undefined) return response;
  const { headers } = guard.checkHead('', [...response.headers]);
  const body = guard.checkBody(response.body);
  if (!guard.hasFound) return response;
  const own = guard.mode === 'report' ? guardHeader : [];
  return { status: response.status, headers: [...headers, ...own], body };
}

/** For heads of answers, which are searched at once. */
const scratch = Buffer.alloc(16 * 1024);

/** Present on an answer that is passed on although it holds a value. */
export const guardHeader = ['SVC-Guard', 'leak'] as const;

export function leaks(): AppError {
  return new AppError(
    'response_leaks_value',
    'The answer holds a value that was filled into the request. The response_guard refuses it.',
    { fixed: true },
  );
}

export function cannotSearch(cause?: unknown): AppError {
  return new AppError(
    'response_leaks_value',
    'The answer cannot be searched for values that were filled into the request: its Content-Encoding is unknown or broken, or too much comes out of it. The response_guard refuses it.',
    { fixed: true, cause },
  );
}
