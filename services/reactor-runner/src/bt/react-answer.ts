import { type Occurrence, problemObject } from '@glovebox/platform/errors/http';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

import type { Answer } from './bt-request.ts';

export type ReactOutcome = NonNullable<RunnerReply['outcome']>;

/** The answer that the invocation of a reactor from outside would have, as the gateway gives it. */
export function reactAnswer(outcome: ReactOutcome, occurrence: Occurrence): Answer {
  switch (outcome.$case) {
    case 'answered':
      return answer(200, outcome.value.json);
    case 'refused': {
      const { status, detail, problems } = outcome.value;
      const errors = Object.fromEntries(problems.map(({ path, messages }) => [path, messages]));
      const title = 'One or more validation errors occurred.';
      const problem = problemObject({ errors, title, status, detail }, occurrence);
      return answer(status, Buffer.from(JSON.stringify(problem)));
    }
    case 'responded': {
      const { body } = JSON.parse(outcome.value.json.toString()) as { readonly body?: unknown };
      const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
      return answer(outcome.value.status, Buffer.from(text));
    }
    default:
      throw new Error(`the invocation of a reactor has the outcome ${outcome.$case}`);
  }
}

function answer(status: number, body: Buffer): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body };
}
