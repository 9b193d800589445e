import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { getGlobalDispatcher } from 'undici';

import { checkAnswer } from './check-answer.ts';

const addresses = new Map<string, Promise<string>>();

/**
 * An address that passes everything on to another one, for clients that bring their own HTTP: what is not as the API is
 * described is answered with 599 and says so.
 */
export function checkedAddress(base: string): Promise<string> {
  const known = addresses.get(base) ?? listen(base);
  addresses.set(base, known);
  return known;
}

async function listen(base: string): Promise<string> {
  const server = createServer((request, response) => {
    pass(base, request, response).catch((error: unknown) => {
      response.writeHead(599, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ detail: String(error) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  // It lasts as long as there are tests.
  server.unref();
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const ownHeaders = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'expect']);

async function pass(base: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const sent = await buffer(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name)),
  );
  const answer = await getGlobalDispatcher().request({
    origin: base,
    path: url,
    method: method as 'GET',
    headers,
    body: sent.length === 0 ? null : sent,
  });
  const body = Buffer.from(await answer.body.arrayBuffer());
  const { statusCode: status } = answer;
  checkAnswer(
    { method, target: url, json: parse(sent) },
    { status, headers: answer.headers, text: body.toString() },
  );
  const warnings = String(answer.headers['svc-warning'] ?? '');
  // What published clients send is what the API knows.
  if (warnings.includes('"unknown ')) throw new Error(`${method} ${url}: ${warnings}`);
  const passed = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name));
  response.writeHead(status, Object.fromEntries(passed) as Record<string, string>);
  response.end(body);
}

function parse(sent: Buffer): unknown {
  try {
    return JSON.parse(sent.toString());
  } catch {
    return undefined;
  }
}
