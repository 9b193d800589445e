import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Transform } from 'node:stream';

/** Between a vault and a server, to take the server away, by refusing or by falling silent, or to slow it down. */
export class TcpRelay implements AsyncDisposable {
  readonly #server = createServer((client) => this.#accept(client));
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  #state: 'open' | 'refusing' | 'silent' = 'open';
  #delayMs = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
  }

  static async start(target: string): Promise<TcpRelay> {
    const relay = new TcpRelay(target);
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  /** The target's URL, by way of the relay. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Connections end, and new ones are ended at once. */
  refuse(): void {
    this.#state = 'refusing';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Connections stay, and nothing passes. */
  fallSilent(): void {
    this.#state = 'silent';
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Whatever the server says comes so much later. */
  slow(ms: number): void {
    this.#delayMs = ms;
  }

  /** From now on new connections work; silent ones are ended. */
  restore(): void {
    this.#state = 'open';
    this.#delayMs = 0;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    this.#watch(client);
    if (this.#state === 'refusing') client.destroy();
    if (this.#state !== 'open') return;
    const server = this.#watch(connect(Number(this.#target.port), this.#target.hostname));
    client.pipe(server).pipe(this.#late()).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  #late(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        if (this.#delayMs === 0) done(null, chunk);
        else setTimeout(() => done(null, chunk), this.#delayMs);
      },
    });
  }

  #watch(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
