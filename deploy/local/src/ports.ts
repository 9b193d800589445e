import { type AddressInfo, createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === undefined) throw new Error('the operating system has no free port on 127.0.0.1');
  return port;
}

/** Whether a listener on that port of `host` could start now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await tryListen(port, host)) !== undefined;
}

function tryListen(port: number, host = '127.0.0.1'): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}
