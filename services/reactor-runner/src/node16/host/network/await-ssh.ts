import type { Socket } from 'node:net';

/** RFC 4253, 4.2: a server may say something before its identification, in lines of its own. */
const maxGreetingBytes = 8192;
const identification = /(?:^|\n)SSH-(?:2\.0|1\.99)-/;

/**
 * Waits until the other side has said that it is a server of SSH; what it has said is there to be read after that.
 *
 * @returns false when it says something else, nothing in time, or ends.
 */
export async function awaitSsh(socket: Socket, timeoutMs: number): Promise<boolean> {
  let greeting = Buffer.alloc(0);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const end = () => resolve(false);
  const look = () => {
    const piece: Buffer | null = socket.read();
    if (piece !== null) greeting = Buffer.concat([greeting, piece]);
    if (identification.test(greeting.toString('latin1'))) resolve(true);
    else if (greeting.length > maxGreetingBytes) resolve(false);
  };
  const events = { readable: look, end, close: end, error: end };
  for (const [event, listener] of Object.entries(events)) socket.on(event, listener);
  try {
    const isSsh = await promise;
    if (isSsh && greeting.length > 0) socket.unshift(greeting);
    return isSsh;
  } finally {
    clearTimeout(timer);
    for (const [event, listener] of Object.entries(events)) socket.off(event, listener);
  }
}
