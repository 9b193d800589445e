/**
 * The least that a proxy made of Node's own parts can do: node:http in front, undici behind, bodies in one piece, no check of
 * anything. Arguments: port to listen on, port of the destination.
 */
import { createServer } from 'node:http';

import { Pool } from 'undici';

const [port, destination] = process.argv.slice(2).map(Number);
const pool = new Pool(`http://127.0.0.1:${destination}`, { connections: 256 });
createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = 'GET', url = '/', rawHeaders } = request;
    const headers = rawHeaders.slice();
    const answer: Buffer[] = [];
    const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'connection');
    if (at !== -1) headers.splice(at, 2);
    pool.dispatch(
      { path: url, method, headers, body: Buffer.concat(chunks) },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status, received) => {
          response.writeHead(status, received);
        },
        onResponseData: (_controller, chunk) => {
          answer.push(chunk);
        },
        onResponseEnd: () => response.end(Buffer.concat(answer)),
        onResponseError: () => response.destroy(),
      },
    );
  });
}).listen(port, '127.0.0.1');
process.once('SIGTERM', () => process.exit());
