import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * A third party's server, for trying out proxies: it answers with the request. It writes that nowhere else, since it
 * gets the plaintext.
 */
export function createEchoDestination(): Server {
  return createServer((request, response) => {
    echo(request, response).catch(() => response.destroy());
  });
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const received = {
    method: request.method,
    path: request.url,
    headers: request.headers,
    body: parsedIfJson(body),
  };
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify({ the_destination_received: received }, null, 2)}\n`);
}

function parsedIfJson(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    return parsed;
  } catch {
    return body;
  }
}
