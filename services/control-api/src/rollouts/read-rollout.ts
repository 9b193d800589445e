import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { type Problems, readShape, required } from '../http/shape.ts';

/** `shadow`: the version runs on the share, and its results are only compared. */
type RolloutMode = 'live' | 'shadow';

/** What a request asks for. */
export interface RolloutInput {
  readonly version: number;
  readonly percent: number;
  readonly mode: RolloutMode;
  /** In lower case; null: chance. */
  readonly header: string | null;
  readonly stopWhen: { readonly error_rate: number; readonly min_requests: number } | null;
}

const largest = 999_999_999_999_999;
const wholeNumber = 'must be a whole number from 1';
const share = 'must be a number from 0 to 100';
const rate = 'must be a number from 0 to 1';

const shape = z.object({
  version: z.int(required(wholeNumber)).min(1, wholeNumber).max(largest, wholeNumber),
  percent: z.number(required(share)).min(0, share).max(100, share),
  mode: z.literal(['live', 'shadow'], 'must be "live" or "shadow"').nullish(),
  // A field name of RFC 9110.
  by: z
    .string('must be a string')
    .regex(
      /^(?:random|header:[!#$%&'*+.^_`|~\w-]{1,100})$/,
      'must be "random" or "header:" with the name of a header of at most 100 characters',
    )
    .nullish(),
  stop_when: z
    .object(
      {
        error_rate: z.number(required(rate)).min(0, rate).max(1, rate),
        min_requests: z.int(required(wholeNumber)).min(1, wholeNumber).max(largest, wholeNumber),
      },
      'must be an object',
    )
    .nullish(),
});

/** @throws AppError `invalid_argument` with everything that is wrong */
export function readRollout(body: unknown): RolloutInput {
  const problems: Problems = {};
  const input = readShape(shape, body, problems);
  if (input === undefined) throw validationError(problems);
  const { version, percent, mode, by, stop_when: stopWhen } = input;
  const header = by?.startsWith('header:') === true ? by.slice('header:'.length).toLowerCase() : null;
  return { version, percent, mode: mode ?? 'live', header, stopWhen: stopWhen ?? null };
}
