import { Socket } from 'node:net';

/** As much as a socket between two processes holds, on a Linux of ordinary settings. */
const chunkBytes = 256 * 1024;

/**
 * A socket whose chunks are all in the same memory: what comes is used up by the end of its `data` event. With memory of its own
 * for each, a worker would be up to a hundred megabytes larger before its next full collection.
 */
export function openChannelSocket(fd: number): Socket {
  const socket: Socket = new Socket({
    fd,
    onread: {
      buffer: Buffer.allocUnsafeSlow(chunkBytes),
      callback(bytes, chunk) {
        socket.emit('data', chunk.subarray(0, bytes));
        return true;
      },
    },
  });
  return socket;
}
