import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';

import { eachMessage } from './each-message.ts';
import { portOf } from './port-of.ts';

/** Headers as common servers send them. */
const styles = [
  ['Date: Thu, 01 Jan 1970 00:00:00 GMT', 'Connection: keep-alive', 'Keep-Alive: timeout=5'],
  ['Server: nginx', 'Date: Thu, 01 Jan 1970 00:00:00 GMT', 'Connection: keep-alive', 'ETag: "1"'],
];

/** A server of this process on a free port of 127.0.0.1, which answers every request with the same JSON. */
export async function startFixedOrigin(json: string): Promise<AsyncDisposable & { readonly port: number }> {
  const length = String(Buffer.byteLength(json));
  const own = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${length}`];
  const answers = styles.map((style) => Buffer.from(`${[...own, ...style].join('\r\n')}\r\n\r\n${json}`));
  let answered = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    eachMessage(socket, () => socket.write(answers[answered++ % answers.length]!));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
