import { AppError, validationError } from '@glovebox/platform/errors';

/** How one run of user code ended. */
export type Outcome =
  /** JSON text of the settled result; empty when it was undefined. */
  | { readonly kind: 'returned'; readonly result: Buffer }
  /** JSON text `{name, message, stack}` of what was thrown. Written inside the isolate: nothing in it is to be trusted. */
  | { readonly kind: 'threw'; readonly thrown: string }
  /** The code is no module that exports a function: it does not parse, or exports something else. */
  | { readonly kind: 'not_a_function'; readonly reason: string }
  | { readonly kind: 'bad_argument' }
  | { readonly kind: 'result_too_large' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'memory' }
  /** The worker process ended under it. */
  | { readonly kind: 'crashed' }
  /** Nobody waits for it any more. */
  | { readonly kind: 'cancelled' };

export type Failure = Exclude<Outcome, { kind: 'returned' }>;

/** After these nothing in the worker process is relied on any more. */
export function isMisbehaviour({ kind }: Outcome): boolean {
  return kind === 'timeout' || kind === 'memory' || kind === 'crashed';
}

/** The name under which the stack of user code shows its file. */
export const userFile = 'main.js';

const maxMessageLength = 2000;

/** What the tenant is told. Its own words go into `errors` only, which no log ever shows. */
export function failureError(failure: Failure): AppError {
  switch (failure.kind) {
    case 'threw':
      return runtimeError(describe(failure.thrown));
    case 'timeout':
      return runtimeError('The code did not finish within its time limit.');
    case 'memory':
      return runtimeError('The code used more memory than it may.');
    case 'crashed':
      return runtimeError('The process that ran the code ended unexpectedly.');
    case 'result_too_large':
      return runtimeError('The result of the code is too large.');
    case 'not_a_function':
      return new AppError('unprocessable', 'Invalid Reactor Formula', {
        errors: { code: [failure.reason.slice(0, maxMessageLength)] },
      });
    case 'bad_argument':
      return validationError({ argument: ['must be JSON text'] });
    case 'cancelled':
      return new AppError('cancelled', 'The request was cancelled.');
    default:
      return failure satisfies never;
  }
}

function runtimeError(problem: string): AppError {
  return new AppError('internal', 'Reactor Runtime Error', { errors: { error: [problem] } });
}

/** `Name: message (main.js:3:9)`, with the first place in the user's own file that the stack names. */
function describe(thrown: string): string {
  const { name, message, stack } = parse(thrown);
  const text = [name, message].filter((part) => part !== '').join(': ') || 'The code threw an error.';
  const place = new RegExp(`\\b${RegExp.escape(userFile)}:\\d{1,9}:\\d{1,9}\\b`).exec(stack)?.[0];
  return text.slice(0, maxMessageLength) + (place === undefined ? '' : ` (${place})`);
}

function parse(thrown: string): { name: string; message: string; stack: string } {
  let value: unknown;
  try {
    value = JSON.parse(thrown);
  } catch {
    value = undefined;
  }
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const text = (field: string) => {
    const found: unknown = fields.get(field);
    return typeof found === 'string' ? found : '';
  };
  return { name: text('name'), message: text('message'), stack: text('stack') };
}
