import { type ErrorObject, type Occurrence, problemObject } from '@glovebox/platform/errors/http';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

/** What a call is answered. */
export type Reply = NonNullable<RunnerReply['outcome']>;

/** An error that code threw to answer by itself. */
export type Refusal = Extract<Reply, { $case: 'refused' }>['value'];

export function errorsOf({ problems }: Pick<Refusal, 'problems'>): Record<string, string[]> {
  return Object.fromEntries(problems.map(({ path, messages }) => [path, messages]));
}

/** The body of a refusal, as the gateway writes it. */
export function refusalObject(refusal: Refusal, occurrence: Occurrence): ErrorObject {
  const { status, detail } = refusal;
  const title = 'One or more validation errors occurred.';
  return problemObject({ errors: errorsOf(refusal), title, status, detail }, occurrence);
}

/**
 * The body of a whole response that code threw.
 * @param json of the response, `{headers, body}`
 */
export function respondedBody(json: Buffer): { readonly isJson: boolean; readonly text: string } {
  const { body }: { readonly body?: unknown } = JSON.parse(json.toString());
  if (typeof body === 'string') return { isJson: false, text: body };
  return { isJson: true, text: body === undefined ? '' : JSON.stringify(body) };
}
