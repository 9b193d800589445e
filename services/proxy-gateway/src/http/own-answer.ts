import { AppError } from '@glovebox/platform/errors';
import type { ErrorObject } from '@glovebox/platform/errors-http';

import type { RawResponse } from './respond-raw.ts';

/** What a tenant's code threw to answer by itself, with a status of its choice (api-facts section 5.6). */
export class OwnAnswer extends AppError {
  /** A problem is answered like any other error; a response as it is. */
  readonly answer: { readonly problem: ErrorObject } | { readonly response: RawResponse };

  constructor(answer: OwnAnswer['answer']) {
    super('unprocessable', 'The code answered with an error of its own.');
    this.answer = answer;
  }
}
