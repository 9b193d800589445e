import { readOpenApiDocument } from '@glovebox/openapi/document';
import { type Method, type Operation, type Response, methods } from '@glovebox/openapi/openapi-document';
import type { ErrorObject } from '@glovebox/platform/errors/http';

import { pathFinder } from './api-paths.ts';
import { ApiSchemas, pointerTo } from './api-schemas.ts';

export interface AskedRequest {
  readonly method: string;
  /** Path and query, as on the request line. */
  readonly target: string;
  /** The body if it was JSON; undefined for any other and for none. */
  readonly json: unknown;
}

export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Of the common error object, in their order. */
export const errorMembers: readonly (keyof ErrorObject)[] = [
  'errors',
  'title',
  'status',
  'detail',
  'code',
  'trace_id',
  'doc_url',
];

const document = readOpenApiDocument();
const schemas = new ApiSchemas(document);
const findPath = pathFinder(document);

/**
 * Compares an answer with what the API is described to answer: status, headers, type and body; and what was accepted
 * with what is described to be.
 *
 * @throws Error that names all differences
 */
export function checkAnswer(asked: AskedRequest, answer: GivenAnswer): void {
  const problems = [...problemsOf(asked, answer)];
  if (problems.length === 0) return;
  const list = problems.map((problem) => `  - ${problem}`).join('\n');
  throw new Error(
    `${asked.method} ${asked.target} is not as the API is described:\n${list}\n${answer.status} ${answer.text.slice(0, 2000)}`,
  );
}

function* problemsOf(asked: AskedRequest, answer: GivenAnswer): Generator<string> {
  const [address = ''] = asked.target.split('?', 1);
  // The local edge's own.
  if (address === '/healthz') return;
  // What the parser of HTTP has refused no operation has seen, nor what is set for all answers.
  const unseen =
    [400, 408, 431].includes(answer.status) && answer.headers['x-content-type-options'] === undefined;
  if (unseen && answer.headers['svc-proxy-destination-status'] === undefined) {
    yield* bodyProblems('#/components/schemas/Error', answer);
    return;
  }
  const method = (asked.method === 'HEAD' ? 'get' : asked.method.toLowerCase()) as Method;
  const matched = findPath(address, method);
  if (matched === undefined) {
    yield* refusalProblems(answer, [400, 404], address);
    return;
  }
  const { path, item } = matched;
  const operation = methods.includes(method) ? item[method] : undefined;
  if (operation === undefined) {
    yield* refusalProblems(answer, [400, 405], address);
    return;
  }
  yield* responseProblems(pointerTo('paths', path, method), operation, asked.method, answer);
  // What is replayed was asked for by another request.
  const replayed = answer.headers['svc-idempotent-replay'] !== undefined;
  if (answer.status < 300 && !replayed)
    yield* requestProblems(pointerTo('paths', path, method), operation, asked);
}

/** Of an address or a method that there is not. */
function* refusalProblems(
  answer: GivenAnswer,
  statuses: readonly number[],
  address: string,
): Generator<string> {
  if (!statuses.includes(answer.status)) yield `is not described, and answered with ${answer.status}`;
  const schema = /^\/proxy(\/|$)/.test(address) ? 'ProxyError' : 'Error';
  if (answer.status === 405 && answer.headers['allow'] === undefined) yield 'the header Allow is missing';
  yield* bodyProblems(`#/components/schemas/${schema}`, answer);
}

function* responseProblems(
  pointer: string,
  operation: Operation,
  asked: string,
  answer: GivenAnswer,
): Generator<string> {
  if (operation['x-raw'] !== undefined && isRaw(answer)) return;
  const described = operation.responses[answer.status];
  if (described === undefined) {
    yield `the status ${answer.status} is not described`;
    return;
  }
  const { pointer: at, value } = schemas.resolve<Response>(
    `${pointer}/responses/${answer.status}`,
    described,
  );
  yield* headerProblems(at, value, answer);
  if (asked === 'HEAD') return;
  if (value.content === undefined) {
    if (answer.text !== '') yield 'a body is not described';
    return;
  }
  const [type] = Object.keys(value.content);
  if (type !== undefined && type !== '*/*') yield* typeProblems(type, answer);
  // Of a proxy, what no destination has answered.
  if (type === '*/*' && operation['x-raw'] !== undefined)
    yield* bodyProblems('#/components/schemas/DryRun', answer);
  if (type !== 'application/json') return;
  yield* bodyProblems(`${at}/content/${encodeURIComponent('application~1json')}/schema`, answer);
}

/** An answer that is a destination's, or of the choice of a tenant's code. */
function isRaw({ headers }: GivenAnswer): boolean {
  return headers['svc-proxy-destination-status'] !== undefined || headers['cache-control'] !== 'no-store';
}

function* headerProblems(pointer: string, response: Response, answer: GivenAnswer): Generator<string> {
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const { pointer: at, value } = schemas.resolve(`${pointer}/headers/${encodeURIComponent(name)}`, header);
    const sent = answer.headers[name.toLowerCase()];
    if (sent === undefined) {
      if (value.required === true) yield `the header ${name} is missing`;
      continue;
    }
    for (const problem of schemas.problems(`${at}/schema`, sent)) yield `the header ${name}: ${problem}`;
  }
}

function* typeProblems(type: string, { headers }: GivenAnswer): Generator<string> {
  const sent = String(headers['content-type']).split(';', 1)[0];
  if (sent !== type) yield `the type is ${sent}, not ${type}`;
}

function* bodyProblems(pointer: string, answer: GivenAnswer): Generator<string> {
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    yield 'the body is no JSON';
    return;
  }
  for (const problem of schemas.problems(pointer, body)) yield `body: ${problem}`;
  yield* occurrenceProblems(body, answer.headers['svc-trace-id']);
}

/** An error names the request that it is one of, and the page that explains its code. */
function* occurrenceProblems(body: unknown, correlationId: unknown): Generator<string> {
  const wrapped = (body as { proxy_error?: unknown } | null)?.proxy_error ?? body;
  const { code, trace_id, doc_url } = (wrapped ?? {}) as Partial<ErrorObject>;
  if (doc_url === undefined) return;
  if (trace_id !== correlationId)
    yield `body: trace_id is ${trace_id}, and SVC-TRACE-ID is ${String(correlationId)}`;
  if (!doc_url.endsWith(`/docs/errors#${code}`)) yield `body: doc_url is ${doc_url}, of the code ${code}`;
}

/** What was accepted must be described as acceptable, in one of the types that a body may have. */
function* requestProblems(pointer: string, operation: Operation, { json }: AskedRequest): Generator<string> {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const [first = ''] = types;
  if (json === undefined || !first.endsWith('json')) return;
  const all = types.map((type) => {
    const escaped = encodeURIComponent(type.replaceAll('/', '~1'));
    return [...schemas.problems(`${pointer}/requestBody/content/${escaped}/schema`, json)];
  });
  const [problems = []] = all.toSorted((one, other) => one.length - other.length);
  for (const problem of problems) yield `the request was accepted: ${problem}`;
}
