import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';

/** A destination that speaks no HTTP by itself. */
export interface RawDestination extends AsyncDisposable {
  readonly url: string;
}

/** @param answer is called once for each request, as soon as its head has arrived */
export async function startRawDestination(
  answer: (socket: Socket, head: string) => void,
): Promise<RawDestination> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let seen = '';
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      const head = /^[A-Z]+ \S+ HTTP\/1\.1\r\n[^]*?\r\n\r\n/m.exec(seen)?.[0];
      if (head === undefined) return;
      seen = '';
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
