import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { ErrorCode } from '../errors/app-error.ts';
import { problemObject } from '../errors/http.ts';

/** Node's private name for the response in progress on a connection. */
type Connection = Socket & { readonly _httpMessage?: ServerResponse | null };

type Refusal = readonly [status: number, title: string, detail: string, code: ErrorCode];

/**
 * Answers requests that Node's parser refuses (RFC 9112 section 2.2) with the common error object instead of a bare
 * status line, and closes the connection: 431 for headers that are too large (RFC 6585 section 5), 408 for a request
 * that took too long to arrive, 400 for all else. A response in progress is cut off: a second one would reach the
 * client as part of its body.
 * @param docsUrl where the documentation is
 */
export function answerBrokenRequests(server: Server, docsUrl: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    const answer = socket._httpMessage;
    const isMidAnswer = answer?.headersSent === true && !answer.writableFinished;
    if (isMidAnswer || error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, title, detail, code] = refusals[error.code ?? ''] ?? noHttp;
    // The headers are not read: they may be anything.
    const correlationId = randomUUID();
    const problem = { errors: {}, title, status, detail };
    const json = JSON.stringify(problemObject(problem, { correlationId, docsUrl }, code));
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n` +
        `SVC-TRACE-ID: ${correlationId}\r\n` +
        `Content-Length: ${Buffer.byteLength(json)}\r\nConnection: close\r\n\r\n${json}`,
    );
  });
}

const noHttp: Refusal = [400, 'Bad Request', 'The request is not valid HTTP.', 'invalid_argument'];

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The request headers are too large.',
    'too_large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'The request took too long to arrive.',
    'deadline_exceeded',
  ],
};
