import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { InboundBody } from './receive-body.ts';

/**
 * Refuses what no request transform can take (contract/transforms.md#bodies-of-code): it would otherwise go on
 * untransformed.
 * @throws AppError `unsupported_media_type`, `too_large`.
 */
export function checkTransformable(body: InboundBody, grammar: BodyGrammar, maxBytes: number): void {
  if (body.kind === 'empty') return;
  if (!isTransformable(grammar)) {
    throw new AppError(
      'unsupported_media_type',
      'The proxy has a request transform: a body must be application/json or application/x-www-form-urlencoded, in UTF-8.',
    );
  }
  if (body.kind === 'stream') throw tooLarge(maxBytes);
}

/** JSON and forms, in UTF-8. */
export function isTransformable(grammar: BodyGrammar): boolean {
  return (grammar.kind === 'json' || grammar.kind === 'form') && grammar.utf8;
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `A body for a request transform may have at most ${maxBytes} bytes.`);
}
