import { texts } from '../texts.ts';

/** An answer that is no success, as the API describes it (contract/errors.md). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly traceId: string | undefined;
  readonly docUrl: string | undefined;
  /** By the path of the member. */
  readonly fields: Readonly<Record<string, readonly string[]>>;

  constructor(status: number, body: ErrorBody) {
    super(body.detail ?? body.title ?? texts.errors.unknown);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.traceId = body.trace_id;
    this.docUrl = body.doc_url;
    this.fields = body.errors ?? {};
  }
}

interface ErrorBody {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly trace_id?: string;
  readonly doc_url?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export interface Sent {
  readonly body?: unknown;
  /** The body says what changes (RFC 7396), as that of a PATCH always does. */
  readonly isPatch?: boolean;
  /** Why, for the versions of what is changed and for the log. */
  readonly comment?: string | undefined;
  /** The version that is changed; another one by now is a 412. */
  readonly ifMatch?: string | undefined;
}

/** The tenant that this page shows; the service refuses requests of a page whose session has moved on. */
let shownTenant = 'none';

export function showTenant(id: string): void {
  shownTenant = id;
}

/**
 * Sends a request of this page's session.
 * @param request e.g. `GET /proxies`
 * @throws ApiError
 */
export async function send<T>(request: string, sent: Sent = {}): Promise<T> {
  return (await sendForVersion<T>(request, sent)).data;
}

/** The same for an answer that is no JSON. @throws ApiError */
export async function sendForText(request: string): Promise<string> {
  const [, path = '/'] = request.split(' ');
  const response = await fetch(path, { headers: { 'X-Glovebox-Console': shownTenant } });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, (parse(text) ?? {}) as ErrorBody);
  return text;
}

export interface Versioned<T> {
  readonly data: T;
  /** For `ifMatch`. */
  readonly etag: string | undefined;
}

/** The same with the version that the answer is of. */
export async function sendForVersion<T>(request: string, sent: Sent = {}): Promise<Versioned<T>> {
  const [method = 'GET', path = '/'] = request.split(' ');
  const headers: Record<string, string> = { 'X-Glovebox-Console': shownTenant };
  if (sent.body !== undefined) {
    const isPatch = method === 'PATCH' || sent.isPatch === true;
    headers['Content-Type'] = isPatch ? 'application/merge-patch+json' : 'application/json';
  }
  if (sent.comment) headers['SVC-Comment'] = encodeComment(sent.comment);
  if (sent.ifMatch !== undefined) headers['If-Match'] = sent.ifMatch;
  const response = await fetch(path, {
    method,
    headers,
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  const text = await response.text();
  const body: unknown = text === '' ? undefined : parse(text);
  if (!response.ok) throw new ApiError(response.status, (body ?? {}) as ErrorBody);
  return { data: body as T, etag: response.headers.get('etag') ?? undefined };
}

/** One event of a stream (WHATWG HTML section 9.2). */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/**
 * Hands on the events of a stream as they arrive, all of one arrival together, until it ends.
 * @param after id of the last event that is known
 * @returns id of the last event
 * @throws ApiError, or what the signal aborts with
 */
export async function follow(
  path: string,
  { after, signal }: { readonly after: string | undefined; readonly signal: AbortSignal },
  onEvents: (events: readonly StreamEvent[]) => void,
): Promise<string | undefined> {
  const headers: Record<string, string> = { 'X-Glovebox-Console': shownTenant };
  if (after !== undefined) headers['Last-Event-ID'] = after;
  const response = await fetch(path, { headers, signal });
  if (!response.ok) throw new ApiError(response.status, (parse(await response.text()) ?? {}) as ErrorBody);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let last = after;
  let rest = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return last;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    const events = blocks.map(fieldsOf);
    last = events.findLast(({ id }) => id !== undefined)?.['id'] ?? last;
    onEvents(events.flatMap(({ event: type = '', data }) => (data === undefined ? [] : [{ type, data }])));
  }
}

function fieldsOf(block: string): Partial<Record<string, string>> {
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
}

/** The service reads UTF-8; a header takes one character for each byte. Line breaks are none of either. */
function encodeComment(comment: string): string {
  const line = comment.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
  return String.fromCodePoint(...new TextEncoder().encode(line));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
