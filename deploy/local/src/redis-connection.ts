import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks a Redis server for PONG, with the credentials of its URL.
 *
 * @returns undefined when it answers, else why not
 */
export function pingRedis(url: string, timeoutMs = 2_000): Promise<string | undefined> {
  const { hostname, port, username, password, protocol } = new URL(url);
  // This accepts any certificate; the services' client verifies it when they start.
  if (protocol === 'rediss:') return Promise.resolve(undefined);
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) });
    let answer = '';
    const done = (problem: string | undefined) => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(timeoutMs, () => done('no answer'));
    socket.on('error', (error) => done(error.message));
    socket.on('close', () => done('the connection was closed'));
    socket.on('connect', () => {
      if (credentials.length > 0) socket.write(command('AUTH', ...credentials));
      socket.write(command('PING'));
    });
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (/^-/m.test(answer)) done(/^-(.*)/m.exec(answer)?.[1]);
      else if (answer.includes('+PONG')) done(undefined);
    });
  });
}

/** Waits until the server answers. @returns undefined once it does, else why it did not. */
export async function waitForRedis(
  url: string,
  timeoutMs: number,
  isOver: () => boolean,
): Promise<string | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const problem = await pingRedis(url);
    if (problem === undefined || isOver() || Date.now() > deadline) return problem;
    await delay(15);
  }
}

/** RESP: an array of bulk strings. */
function command(...words: string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}
