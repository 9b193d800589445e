import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { AppError, type ErrorCode } from '@glovebox/platform/errors';
import { toErrorObject } from '@glovebox/platform/errors-http';

/** Node's own name for the answer that a connection is in the middle of; there is no public one. */
type Connection = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Answers what Node's parser can't make a request of (RFC 9112 section 2.2) with the common error object instead of
 * a bare status line, and closes the connection. An answer that has begun is cut off: a second one written into it
 * would reach the client as a part of its body.
 */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    const begun = socket._httpMessage?.headersSent === true;
    if (begun || error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [code, detail] = told(error.code);
    const body = toErrorObject(new AppError(code, detail));
    const json = JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${body.status} ${body.title}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(json)}\r\nConnection: close\r\n\r\n${json}`,
    );
  });
}

function told(code: string | undefined): [ErrorCode, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['invalid_argument', 'The request headers are too large.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['deadline_exceeded', 'The request took too long to arrive.'];
    default:
      return ['invalid_argument', 'The request is not valid HTTP.'];
  }
}
