import { type AddressInfo, createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  return await bindOnce(0, '127.0.0.1');
}

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

function bindOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}
