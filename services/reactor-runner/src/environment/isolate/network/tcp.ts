import { exactBytes } from '../bridge.ts';
import type { Scope } from '../scope.ts';
import type { Credentials, IsolateNetwork } from './network.ts';

export interface ConnectRequest {
  readonly oncomplete: (
    status: number,
    handle: object,
    request: object,
    readable: boolean,
    writable: boolean,
  ) => void;
}

interface WriteRequest {
  readonly oncomplete: (status: number) => void;
}

/** What is known of a connection that stands. */
export interface Peer {
  readonly peer: { readonly address: string; readonly port: number; readonly family: string };
  readonly protocol?: string;
  readonly cipher?: Readonly<Record<string, string>>;
}

/** What the library's sockets hold: `TCP` of Node's binding, by its names. The host has the connection. */
export interface TcpHandle {
  id: number | undefined;
  about: Peer | undefined;
  dial(
    protocol: string,
    host: string,
    port: number,
    credentials: Credentials | undefined,
    onDone: OnDialed,
  ): void;
  close(callback?: () => void): void;
}

export type OnDialed = (error: Error | undefined) => void;

export type TcpConstructor = new (type: number) => TcpHandle;

export function tcpHandles({ call, jobs, load }: Scope, network: IsolateNetwork): TcpConstructor {
  const { owner_symbol: owner } = (load('internal/async_hooks') as { symbols: Record<string, symbol> })
    .symbols;
  const { setImmediate } = load('timers') as { setImmediate: (run: () => void) => void };
  const { Buffer } = load('buffer') as { Buffer: typeof globalThis.Buffer };
  const { nextTick } = load('internal/process/task_queues') as { nextTick: (run: () => void) => void };
  // UV_EOF and UV_ECANCELED.
  const ended = -4095;
  const cancelled = -125;
  const { state, readBytes, bufferOffset, bytesWritten, wasAsync } = network.streamState;
  const maxPiece = 64 * 1024;

  class TCP implements TcpHandle {
    id: number | undefined;
    about: Peer | undefined;
    reading = false;
    onread: ((buffer?: ArrayBufferLike) => void) | undefined;
    bytesRead = 0;
    bytesWritten = 0;
    writeQueueSize = 0;
    /** Of a socket that was given an address instead of a name: it waits for the connection here. */
    #request: ConnectRequest | undefined;
    /** What came when nobody was reading. */
    #held: { readonly error: Error | undefined; readonly bytes: Uint8Array | undefined } | undefined;
    #isPulling = false;
    #isAtEnd = false;
    #isClosed = false;

    constructor(type: number) {
      if (type !== 0) throw network.refusal('Servers are not offered here.');
    }

    dial(
      protocol: string,
      host: string,
      port: number,
      credentials: Credentials | undefined,
      onDone: OnDialed,
    ) {
      this.id = call('net.open', protocol, host, port, credentials) as number;
      network.open.add(this);
      jobs.start('net.connect', [this.id], (error, about) => {
        if (this.#isClosed) return;
        if (error === undefined) this.about = about as Peer;
        onDone(error);
        if (error === undefined && this.#request !== undefined) this.#complete(this.#request);
      });
    }

    connect(request: ConnectRequest) {
      if (this.about === undefined) this.#request = request;
      else nextTick(() => this.#complete(request));
      return 0;
    }
    connect6(request: ConnectRequest) {
      return this.connect(request);
    }

    readStart() {
      this.reading = true;
      const held = this.#held;
      this.#held = undefined;
      if (held === undefined) this.#pull();
      else setImmediate(() => this.#deliver(held.error, held.bytes));
      return 0;
    }
    readStop() {
      this.reading = false;
      return 0;
    }

    writeBuffer(request: WriteRequest, bytes: Uint8Array) {
      return this.#write(request, bytes);
    }
    writev(request: WriteRequest, chunks: (Uint8Array | string)[], areBuffers: boolean) {
      const parts = areBuffers
        ? (chunks as Uint8Array[])
        : chunks
            .filter((_, index) => index % 2 === 0)
            .map((chunk, index) =>
              typeof chunk === 'string' ? Buffer.from(chunk, chunks[2 * index + 1] as BufferEncoding) : chunk,
            );
      return this.#write(request, Buffer.concat(parts));
    }
    writeUtf8String(request: WriteRequest, text: string) {
      return this.#write(request, Buffer.from(text, 'utf8'));
    }
    writeAsciiString(request: WriteRequest, text: string) {
      return this.#write(request, Buffer.from(text, 'latin1'));
    }
    writeLatin1String(request: WriteRequest, text: string) {
      return this.#write(request, Buffer.from(text, 'latin1'));
    }
    writeUcs2String(request: WriteRequest, text: string) {
      return this.#write(request, Buffer.from(text, 'utf16le'));
    }

    shutdown(request: WriteRequest) {
      jobs.start('net.end', [this.id], () => {
        if (!this.#isClosed) request.oncomplete(0);
      });
      return 0;
    }

    close(callback?: () => void) {
      this.#isClosed = true;
      network.open.delete(this);
      if (this.id !== undefined) call('net.close', this.id);
      if (callback !== undefined) setImmediate(callback);
    }
    reset(callback?: () => void) {
      this.close(callback);
      return 0;
    }

    getpeername(out: object) {
      Object.assign(out, this.about?.peer);
      return 0;
    }
    getsockname() {
      return 0;
    }
    bind() {
      return -22;
    }
    bind6() {
      return -22;
    }
    setNoDelay() {
      return 0;
    }
    setKeepAlive() {
      return 0;
    }
    ref() {}
    unref() {}
    hasRef() {
      return true;
    }
    getAsyncId() {
      return 1;
    }
    getProviderType() {
      return 0;
    }

    #complete(request: ConnectRequest): void {
      if (!this.#isClosed) request.oncomplete(0, this, request, true, true);
    }

    #owner(): { destroy(error: Error): void } | undefined {
      return (this as unknown as Record<symbol, { destroy(error: Error): void }>)[owner as symbol];
    }

    #pull(): void {
      if (this.#isPulling || this.#isAtEnd || this.#isClosed || this.about === undefined) return;
      this.#isPulling = true;
      jobs.start('net.read', [this.id], (error, bytes) => {
        this.#isPulling = false;
        this.#deliver(error, bytes as Uint8Array | undefined);
      });
    }

    #deliver(error: Error | undefined, bytes: Uint8Array | undefined): void {
      if (this.#isClosed) return;
      if (!this.reading) {
        this.#held = { error, bytes };
        return;
      }
      if (error !== undefined) {
        this.#owner()?.destroy(error);
        return;
      }
      this.#isAtEnd = bytes === undefined;
      this.bytesRead += bytes?.length ?? 0;
      state[readBytes] = bytes?.length ?? ended;
      state[bufferOffset] = 0;
      this.onread?.(bytes?.buffer);
      if (this.reading) this.#pull();
    }

    #write(request: WriteRequest, bytes: Uint8Array): number {
      state[bytesWritten] = bytes.length;
      state[wasAsync] = 1;
      this.bytesWritten += bytes.length;
      this.writeQueueSize += bytes.length;
      this.#send(request, bytes, 0);
      return 0;
    }

    /** Piece by piece, so that no more waits at the host than it can send. */
    #send(request: WriteRequest, bytes: Uint8Array, at: number): void {
      const piece = bytes.subarray(at, at + maxPiece);
      jobs.start('net.write', [this.id, exactBytes(piece)], (error) => {
        this.writeQueueSize -= piece.length;
        if (error === undefined && at + piece.length < bytes.length && !this.#isClosed) {
          this.#send(request, bytes, at + piece.length);
          return;
        }
        if (error !== undefined && !this.#isClosed) this.#owner()?.destroy(error);
        request.oncomplete(error === undefined ? 0 : cancelled);
      });
    }
  }
  return TCP;
}
