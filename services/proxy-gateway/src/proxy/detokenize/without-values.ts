import { AppError } from '@glovebox/platform/errors/app-error';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';

import { OwnAnswer } from '../../http/own-answer.ts';

/** What a request failed with, without the values that were filled into it: its caller may use them, not read them. */
export function withoutValues(error: unknown, filled: KnownValues): unknown {
  if (error instanceof OwnAnswer) return error.redacted(filled);
  return error instanceof AppError ? filled.redactError(error) : error;
}
