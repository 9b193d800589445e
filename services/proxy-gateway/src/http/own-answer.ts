import { AppError } from '@glovebox/platform/errors/app-error';
import type { Problem } from '@glovebox/platform/errors/http';
import type { KnownValues } from '@glovebox/platform/redaction/known-values';

import type { RawResponse } from './respond-raw.ts';

/** What a tenant's code threw to answer by itself, with a status of its choice (contract/errors.md#thrown-errors). */
export class OwnAnswer extends AppError {
  /** A problem is answered like any other error; a response as it is. */
  readonly answer: { readonly problem: Problem } | { readonly response: RawResponse };

  constructor(answer: OwnAnswer['answer']) {
    super('unprocessable', 'The code answered with an error of its own.');
    this.answer = answer;
  }

  /** A problem without what may not be shown; a response is as the code wants it. */
  redacted(known: KnownValues): OwnAnswer {
    if (!('problem' in this.answer)) return this;
    const { problem } = this.answer;
    return new OwnAnswer({ problem: { ...problem, ...known.redactTold(problem) } });
  }
}
