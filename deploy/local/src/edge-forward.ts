import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

export interface ForwardOptions {
  readonly address: ServiceAddress;
  readonly agent: Agent;
  /** Called when the service sent no response. */
  readonly onUnreachable: () => void;
}

/**
 * Forwards a request and its response unchanged: every header in its spelling, order and number; both bodies streamed
 * at the pace of the slower side; an end on one side passed to the other.
 */
export function forward(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): void {
  const upstream = send({
    ...options.address,
    agent: options.agent,
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: requestHeaders(request),
  });
  let answered = false;
  upstream.on('continue', () => response.writeContinue());
  upstream.on('response', (answer) => {
    answered = true;
    passBack(answer, response);
    answer.once('end', () => {
      // Node stops forwarding a request whose response is complete: without this both sides would wait for the rest.
      if (request.complete) return;
      letGo();
      upstream.destroy();
    });
  });
  upstream.on('error', () => {
    // After the response has begun, this only means that the service does not read the rest of the request.
    if (answered || response.destroyed) return;
    letGo();
    options.onUnreachable();
  });
  upstream.on('close', letGo);
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  sendHeadersNow(upstream, hasBody(request));
  request.pipe(upstream);

  function letGo(): void {
    request.unpipe(upstream);
    request.resume();
  }
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  // The service sets the date, or none.
  response.sendDate = false;
  try {
    response.writeHead(
      answer.statusCode ?? 502,
      answer.statusMessage,
      withoutConnectionHeaders(answer.rawHeaders),
    );
  } catch {
    answer.destroy();
    response.destroy();
    return;
  }
  sendHeadersNow(response, true);
  answer.pipe(response);
  answer.on('error', () => response.destroy());
  answer.on('close', () => {
    if (!answer.complete) response.destroy();
  });
}

/**
 * Sends the headers without waiting for the body, which may itself wait: for a 100 Continue, for an event to stream.
 * Not by `flushHeaders`, which sends them in UTF-8 and so changes the bytes of a header that isn't ASCII.
 */
function sendHeadersNow(message: ClientRequest | ServerResponse, bodyFollows: boolean): void {
  if (bodyFollows) message.write('', 'latin1');
}

function hasBody(request: IncomingMessage): boolean {
  return 'content-length' in request.headers || 'transfer-encoding' in request.headers;
}

/** Methods whose requests have no body by Node's default; it chunks all others. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function requestHeaders(request: IncomingMessage): string[] {
  const explicit = hasBody(request) || bodiless.has(request.method ?? '');
  return explicit ? request.rawHeaders : [...request.rawHeaders, 'Content-Length', '0'];
}

/** Framing and connections are each hop's own matter (RFC 9110 section 7.6.1). */
function withoutConnectionHeaders(rawHeaders: readonly string[]): string[] {
  const own = new Set(['connection', 'keep-alive', 'transfer-encoding']);
  return rawHeaders.filter((_, index) => !own.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()));
}
