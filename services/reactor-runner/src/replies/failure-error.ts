import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { maxShownLength } from '@glovebox/platform/redaction/known-values';

import { type Failure, userFile } from '../worker-protocol/outcome.ts';
import { type Audience, logReaders } from './audience.ts';
import { parseThrown, wholeResponse } from './thrown.ts';

/** An isolate's messages are at most this long (prelude.ts). They are cut to what is shown after redaction. */
const maxMessageLength = 4000;

/**
 * The error for a failure of code. The code's own words go into `errors` only, which are never logged.
 * @param audience by default readers who may see everything
 * @param hint a sentence that is appended to what the code threw
 */
export function failureError(failure: Failure, audience = logReaders, hint?: string): AppError {
  const { instead } = audience;
  switch (failure.kind) {
    case 'threw':
      return runtimeError(instead ?? withHint(describe(failure.thrown, audience), hint));
    case 'timeout':
      return runtimeError(`The code did not finish within its time limit${timeOf(failure)}.`);
    case 'cpu':
      return runtimeError(`The code used more processor time than its limit${timeOf(failure)}.`);
    case 'memory':
      return runtimeError(`The code used more memory than it may${memoryOf(failure)}.`);
    case 'crashed':
      return runtimeError('The process that ran the code ended unexpectedly.');
    case 'worker_lost':
      return runtimeError(workerLost);
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

/** No fault of this code's. It is not run again, since it may have done something that must not happen twice. */
const workerLost =
  'Other code ended the process that ran this code. It is unknown how far this code came, so it was not run again.';

function timeOf({ limitMs }: Extract<Failure, { kind: 'timeout' | 'cpu' }>): string {
  if (limitMs === undefined) return '';
  const seconds = Math.round(limitMs / 100) / 10;
  return seconds < 1 ? ` of ${Math.round(limitMs)} ms` : ` of ${seconds} second${seconds === 1 ? '' : 's'}`;
}

function memoryOf({ limitMb }: Extract<Failure, { kind: 'memory' }>): string {
  return limitMb === undefined ? '' : `, which is ${limitMb} MiB`;
}

function withHint(text: string, hint: string | undefined): string {
  return hint === undefined || text.length > maxShownLength ? text : `${text}. ${hint}`;
}

function runtimeError(problem: string): AppError {
  return new AppError('internal', 'Reactor Runtime Error', { errors: { error: [problem] } });
}

/** A response with a valid status is an answer, not a failure. */
function statusProblem(status: unknown): string {
  return `the status of a response must be a number from 200 to 599, and ${JSON.stringify(status)} is not`;
}

/** `Name: message (main.js:3:9)`, with the first place in the user's own file that the stack names. */
function describe(thrown: string, audience: Audience): string {
  const { name, message, stack, answer } = parseThrown(thrown);
  const said = name === wholeResponse ? statusProblem(answer?.get('status')) : message;
  // The cut must stay at the end, where redaction recognizes the beginning of a value.
  const parts = name.length > maxShownLength ? [name] : [name, said].filter((part) => part !== '');
  const text = parts.join(': ').slice(0, maxMessageLength) || 'The code threw an error.';
  // A stack begins with the message, which may contain any text.
  const at = stack.indexOf(message);
  const frames = at < 0 ? stack : stack.slice(at + message.length);
  const place = new RegExp(`\\b${RegExp.escape(userFile)}:\\d{1,9}:\\d{1,9}\\b`).exec(frames)?.[0];
  const shown = redacted(text, audience);
  return text.length > maxShownLength || place === undefined ? shown : `${shown} (${place})`;
}

function redacted(text: string, { known }: Audience): string {
  return known.redact([text])[0] ?? '';
}
