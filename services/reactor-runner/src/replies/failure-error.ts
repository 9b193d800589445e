import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { maxShownLength } from '@glovebox/platform/redaction/known-values';

import { type Failure, userFile } from '../worker-protocol/outcome.ts';
import { type Audience, insiders } from './audience.ts';
import { parseThrown, wholeResponse } from './thrown.ts';

/** What an isolate says is no longer (prelude.ts). More is shown of nothing, but it is cut after the last redaction. */
const maxMessageLength = 4000;

/**
 * What the tenant is told. Its own words go into `errors` only, which no log ever shows.
 * @param audience who is told; everything unless somebody is named
 * @param hint follows what the code threw, as a sentence
 */
export function failureError(failure: Failure, audience = insiders, hint?: string): AppError {
  const { instead } = audience;
  switch (failure.kind) {
    case 'threw':
      return runtimeError(instead ?? withHint(describe(failure.thrown, audience), hint));
    case 'timeout':
      return runtimeError(`The code did not finish within its time limit${timeOf(failure)}.`);
    case 'memory':
      return runtimeError(`The code used more memory than it may${memoryOf(failure)}.`);
    case 'crashed':
      return runtimeError('The process that ran the code ended unexpectedly.');
    case 'result_too_large':
      return runtimeError('The result of the code is too large.');
    case 'not_a_function':
      return new AppError('unprocessable', 'Invalid Reactor Formula', {
        errors: { code: [instead ?? redacted(failure.reason.slice(0, maxMessageLength), audience)] },
      });
    case 'bad_argument':
      return validationError({ argument: ['must be JSON text'] });
    case 'cancelled':
      return new AppError('cancelled', 'The request was cancelled.');
    default:
      return failure satisfies never;
  }
}

function timeOf({ limitMs }: Extract<Failure, { kind: 'timeout' }>): string {
  if (limitMs === undefined) return '';
  const seconds = Math.round(limitMs / 100) / 10;
  return seconds < 1 ? ` of ${Math.round(limitMs)} ms` : ` of ${seconds} second${seconds === 1 ? '' : 's'}`;
}

function memoryOf({ limitMb }: Extract<Failure, { kind: 'memory' }>): string {
  return limitMb === undefined ? '' : `, which is ${limitMb} MiB`;
}

function withHint(told: string, hint: string | undefined): string {
  return hint === undefined || told.length > maxShownLength ? told : `${told}. ${hint}`;
}

function runtimeError(problem: string): AppError {
  return new AppError('internal', 'Reactor Runtime Error', { errors: { error: [problem] } });
}

/** One that could be answered is no failure. */
function statusProblem(status: unknown): string {
  return `the status of a response must be a number from 200 to 599, and ${JSON.stringify(status)} is not`;
}

/** `Name: message (main.js:3:9)`, with the first place in the user's own file that the stack names. */
function describe(thrown: string, audience: Audience): string {
  const { name, message, stack, answer } = parseThrown(thrown);
  const said = name === wholeResponse ? statusProblem(answer?.get('status')) : message;
  // What was cut has to stay at the end: there its redaction knows the beginning of a value.
  const parts = name.length > maxShownLength ? [name] : [name, said].filter((part) => part !== '');
  const text = parts.join(': ').slice(0, maxMessageLength) || 'The code threw an error.';
  // A stack begins with the message, which may name any place.
  const at = stack.indexOf(message);
  const frames = at < 0 ? stack : stack.slice(at + message.length);
  const place = new RegExp(`\\b${RegExp.escape(userFile)}:\\d{1,9}:\\d{1,9}\\b`).exec(frames)?.[0];
  const told = redacted(text, audience);
  return text.length > maxShownLength || place === undefined ? told : `${told} (${place})`;
}

function redacted(text: string, { known }: Audience): string {
  return known.redact([text])[0] ?? '';
}
