import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

import { claimPort } from './claimed-ports.ts';

/**
 * A TCP port that nobody listens on at this moment, on either loopback address. It lies below the ports that the
 * kernel hands out for outgoing connections, so that none of those takes it before its listener starts; nor does
 * another system that this account starts on the machine.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (!claimPort(port)) continue;
    const reasons = await Promise.all([whyNot(port, '127.0.0.1'), whyNot(port, '::1')]);
    if (!reasons.includes('EADDRINUSE')) return port;
  }
  throw new Error(`no free port was found between ${lowest} and ${highest}`);
}

const lowest = 15_000;
const highest = 32_000;

/** Whether a listener on that port of 127.0.0.1 could start now. */
export async function isFree(port: number): Promise<boolean> {
  return (await whyNot(port, '127.0.0.1')) === undefined;
}

/** Why no listener could start there now, as an error code such as EADDRINUSE; undefined when one could. */
export async function whyNot(port: number, host: string): Promise<string | undefined> {
  return await bindOnce(port, host).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

function bindOnce(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => resolve());
    });
  });
}
