import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';

/** A destination that speaks no HTTP by itself. */
export interface RawDestination extends AsyncDisposable {
  readonly url: string;
}

const endOfHead = '\r\n\r\n';

/**
 * @param answer is called once for each request, as soon as its head has arrived
 * @param makeServer default: one without TLS
 */
export async function startRawDestination(
  answer: (socket: Socket, head: string) => void,
  makeServer: (serve: (socket: Socket) => void) => Server = createServer,
): Promise<RawDestination> {
  const sockets = new Set<Socket>();
  const server = makeServer((socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    let seen = '';
    let bodyLeft = 0;
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.subarray(bodyLeft).toString('latin1');
      bodyLeft = Math.max(0, bodyLeft - chunk.length);
      const end = seen.indexOf(endOfHead);
      if (end < 0) return;
      const head = seen.slice(0, end + endOfHead.length);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      bodyLeft = Math.max(0, length - (seen.length - head.length));
      seen = seen.slice(head.length + length);
      answer(socket, head);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
