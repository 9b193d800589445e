import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP connection to a store that can be cut, slowed down and mended. */
export interface Cable extends AsyncDisposable {
  /** The store's URL, by way of the cable. */
  readonly url: string;
  /** Ends every connection, and each new one at once. */
  cut(): void;
  /** Whatever the store says comes so much later; for ever: nothing does. */
  slow(ms: number): void;
  mend(): void;
}

export async function layCable(url: string): Promise<Cable> {
  const target = new URL(url);
  const ends = new Set<Socket>();
  let whole = true;
  let delayMs = 0;
  const late = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (delayMs === 0) done(null, chunk);
        else if (delayMs !== Infinity) setTimeout(() => done(null, chunk), delayMs);
      },
    });
  const server = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      if (one === far) one.pipe(late()).pipe(other);
      else one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        ends.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = new URL(url);
  near.hostname = '127.0.0.1';
  near.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    whole = false;
    for (const end of ends) end.destroy();
  };
  return {
    url: near.href,
    cut,
    slow: (ms) => {
      delayMs = ms;
    },
    mend: () => {
      whole = true;
      // What a connection has swallowed is lost to it.
      if (delayMs === Infinity) for (const end of ends) end.destroy();
      delayMs = 0;
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
