import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { type Audience, insiders } from './audience.ts';
import { type Thrown, parseThrown, wholeResponse } from './thrown.ts';

export type ThrownAnswer = Extract<
  NonNullable<RunnerReply['outcome']>,
  { readonly $case: 'refused' | 'responded' }
>;

/** The error classes that code throws to answer by itself, as their name says it (contract/errors.md#thrown-errors). */
const classes: ReadonlyMap<string, { readonly status: number; readonly detail: string }> = new Map([
  ['BadRequestError', { status: 400, detail: 'Bad Request' }],
  ['InvalidReactorConfigurationError', { status: 400, detail: 'Invalid Reactor Configuration' }],
  ['AuthenticationError', { status: 401, detail: 'Authentication Failed' }],
  ['InvalidPaymentMethodError', { status: 402, detail: 'Invalid Payment Method' }],
  ['AuthorizationError', { status: 403, detail: 'Forbidden' }],
  ['InvalidReactorFormulaError', { status: 422, detail: 'Invalid Reactor Formula' }],
  ['RateLimitError', { status: 429, detail: 'Rate Limit Exceeded' }],
  ['ReactorRuntimeError', { status: 500, detail: 'Reactor Runtime Error' }],
  ['ServiceUnavailableError', { status: 503, detail: 'Service Unavailable' }],
]);

/**
 * The answer that code gives by throwing, or undefined for what is only an error. Classes are known by what they look
 * like: code may bundle its own copy of them, and what crosses from an isolate has no class any more. A status alone
 * says nothing, since errors of HTTP clients have one too.
 *
 * A whole response is given as it is to who is known; to anybody else without what the audience must not see,
 * and without the headers or the body that are too large to be looked through.
 */
export function thrownAnswer(json: string, audience = insiders): ThrownAnswer | undefined {
  const thrown = parseThrown(json);
  const { answer, name } = thrown;
  if (answer === undefined) return undefined;
  const status = answer.get('status');
  if (name === wholeResponse) return responded(status, answer, audience);
  const known = classes.get(name);
  const isOurs = known !== undefined || name.endsWith('ReactorError') || answer.get('isProblem') === true;
  if (!isOurs || !isWithin(status, 400)) return undefined;
  return {
    $case: 'refused',
    value: { status, ...told(describe(thrown, answer, known?.detail), known, audience) },
  };
}

/** Informational statuses (RFC 9110 section 15.2) answer nothing. */
function responded(
  status: unknown,
  answer: ReadonlyMap<string, unknown>,
  { known, instead }: Audience,
): ThrownAnswer | undefined {
  if (!isWithin(status, 200)) return undefined;
  const [headers, body] = ['headers', 'body'].map((member) => {
    const given = answer.get(member);
    return instead === undefined ? given : known.redactJson(given);
  });
  return { $case: 'responded', value: { status, json: Buffer.from(JSON.stringify({ headers, body })) } };
}

function isWithin(status: unknown, least: number): status is number {
  return Number.isInteger(status) && (status as number) >= least && (status as number) <= 599;
}

interface Refusal {
  readonly detail: string;
  readonly problems: { path: string; messages: string[] }[];
}

function told(
  refusal: Refusal,
  own: { readonly detail: string } | undefined,
  { known, instead }: Audience,
): Refusal {
  if (instead !== undefined) {
    return { detail: own?.detail ?? defaultDetail, problems: [{ path: 'error', messages: [instead] }] };
  }
  const { detail, problems } = refusal;
  const texts = known
    .redact([detail, ...problems.flatMap(({ path, messages }) => [path, ...messages])])
    .values();
  const next = () => texts.next().value ?? '';
  return {
    detail: next(),
    problems: problems.map(({ messages }) => ({ path: next(), messages: messages.map(next) })),
  };
}

function describe(
  { message }: Thrown,
  answer: ReadonlyMap<string, unknown>,
  ownDetail: string | undefined,
): Refusal {
  const told = answer.get('detail');
  const detail = typeof told === 'string' && told !== '' ? shorten(told) : undefined;
  const problems = problemsOf(answer.get('errors'));
  if (problems !== undefined)
    return { detail: detail ?? (message || (ownDetail ?? defaultDetail)), problems };
  const messages = message === '' ? [] : [{ path: 'error', messages: [shorten(message)] }];
  return { detail: ownDetail ?? detail ?? defaultDetail, problems: messages };
}

const defaultDetail = 'Reactor Runtime Error';
const maxProblems = 100;
/** As much as an isolate says in a message (prelude.ts): it is cut to what is shown after the last redaction. */
const maxLength = 4000;

function problemsOf(errors: unknown): { path: string; messages: string[] }[] | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  const entries = Array.isArray(errors) ? [['error', errors] as const] : Object.entries(errors);
  return entries.slice(0, maxProblems).map(([path, found]: readonly [string, unknown]) => {
    const messages: readonly unknown[] = Array.isArray(found) ? found : [found];
    return { path: shorten(path), messages: messages.slice(0, maxProblems).map(textOf) };
  });
}

function textOf(value: unknown): string {
  return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

function shorten(text: string): string {
  return text.slice(0, maxLength);
}
