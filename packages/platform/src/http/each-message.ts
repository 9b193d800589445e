import type { Socket } from 'node:net';

/**
 * Finds the messages of HTTP/1.1 that come on a connection, among those that say in Content-Length how long they are.
 *@param onMessage gets the first line of each, when all of it has come
 */
export function eachMessage(socket: Socket, onMessage: (start: string) => void): void {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    for (let end = waiting.indexOf('\r\n\r\n'); end >= 0; end = waiting.indexOf('\r\n\r\n')) {
      const head = waiting.toString('latin1', 0, end);
      const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0);
      const whole = end + 4 + length;
      if (waiting.length < whole) return;
      waiting = waiting.subarray(whole);
      onMessage(head.slice(0, head.indexOf('\r\n')));
    }
  });
}
