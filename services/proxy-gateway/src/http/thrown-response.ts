import { AppError } from '@glovebox/platform/errors/app-error';
import type { Problem } from '@glovebox/platform/errors/http';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';

import type { RawResponse } from './exchange.ts';

/** What a tenant's code threw to answer by itself, with a status of its choice (contract/errors.md#thrown-errors). */
export class ThrownResponse extends AppError {
  /** A problem is answered like any other error; a response as it is. */
  readonly answer: { readonly problem: Problem } | { readonly response: RawResponse };

  constructor(answer: ThrownResponse['answer']) {
    super('unprocessable', 'The code answered with its own error.');
    this.answer = answer;
  }
}

/** An error without the values that were filled into the request: its caller may use them, and not read them. */
export function redactError(error: unknown, values: KnownValues): unknown {
  if (error instanceof ThrownResponse) {
    if (!('problem' in error.answer)) return error;
    const { problem } = error.answer;
    return new ThrownResponse({ problem: { ...problem, ...values.redactProblem(problem) } });
  }
  return error instanceof AppError ? values.redactError(error) : error;
}
