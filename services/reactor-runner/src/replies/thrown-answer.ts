import { type Audience, logReaders } from './audience.ts';
import type { Reply } from './reply.ts';
import { type Thrown, parseThrown, wholeResponse } from './thrown.ts';

export type ThrownAnswer = Extract<Reply, { readonly $case: 'refused' | 'responded' }>;

/** The error classes that code throws to answer by itself, by name (contract/errors.md#thrown-errors). */
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
 * The answer that code gives by throwing, or undefined for a plain error. Classes are recognized by name and members:
 * code may bundle its own copy of them, and errors lose their class on the way out of an isolate. A status alone is
 * not enough, since errors of HTTP clients have one too.
 *
 * A caller with an API key gets a whole response unchanged. For an anonymous caller it is redacted, and headers or a body
 * too large to search are left out.
 */
export function thrownAnswer(json: string, audience = logReaders): ThrownAnswer | undefined {
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
    value: { status, ...shown(describe(thrown, answer, known?.detail), known, audience) },
  };
}

/** Informational statuses (RFC 9110 section 15.2) are not final responses. */
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
  return {
    $case: 'responded',
    value: { status, json: Buffer.from(JSON.stringify({ headers, body })), leaks: false },
  };
}

function isWithin(status: unknown, least: number): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= least && status <= 599;
}

interface ShownRefusal {
  readonly detail: string;
  readonly problems: { path: string; messages: string[] }[];
}

function shown(
  refusal: ShownRefusal,
  own: { readonly detail: string } | undefined,
  { known, instead }: Audience,
): ShownRefusal {
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
): ShownRefusal {
  const given = answer.get('detail');
  const detail = typeof given === 'string' && given !== '' ? shorten(given) : undefined;
  const problems = problemsOf(answer.get('errors'));
  if (problems !== undefined)
    return { detail: detail ?? (message || (ownDetail ?? defaultDetail)), problems };
  const messages = message === '' ? [] : [{ path: 'error', messages: [shorten(message)] }];
  return { detail: ownDetail ?? detail ?? defaultDetail, problems: messages };
}

const defaultDetail = 'Reactor Runtime Error';
const maxProblems = 100;
/** The longest message of an isolate (prelude.ts). It is cut to what is shown after redaction. */
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
