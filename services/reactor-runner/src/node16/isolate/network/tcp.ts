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

/** What is known of an open connection. */
export interface Peer {
  readonly peer: { readonly address: string; readonly port: number; readonly family: string };
  readonly protocol?: string;
  readonly cipher?: Readonly<Record<string, string>>;
}

/** What the library's sockets hold: `TCP` of Node's binding, by its names. The host has the connection. */
export interface HostSocket {
  /** The library's socket that holds it is under a symbol of the library's. */
  [owner: symbol]: { destroy(error?: Error): void } | undefined;
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

export type TcpConstructor = new (type: number) => HostSocket;

/** What all handles of an isolate work with. */
export interface TcpParts extends Pick<Scope, 'call' | 'jobs'> {
  readonly network: IsolateNetwork;
  readonly owner: symbol;
  readonly setImmediate: (run: () => void) => void;
  readonly nextTick: (run: () => void) => void;
  readonly Buffer: typeof globalThis.Buffer;
}

export function tcpHandles({ call, jobs, load }: Scope, network: IsolateNetwork): TcpConstructor {
  const { symbols } = load('internal/async_hooks');
  const { setImmediate } = load('timers');
  const { nextTick } = load('internal/process/task_queues');
  const { Buffer } = load('buffer');
  const parts = { call, jobs, network, owner: symbols.owner_symbol, setImmediate, nextTick, Buffer };
  return class TCP extends HostTcp {
    constructor(type: number) {
      super(type, parts);
    }
  };
}

/** What `TCP` does; the library makes it with a kind only. */
export class HostTcp implements HostSocket {
  [owner: symbol]: { destroy(error?: Error): void } | undefined;
  id: number | undefined;
  about: Peer | undefined;
  reading = false;
  onread: ((buffer?: ArrayBufferLike) => void) | undefined;
  bytesRead = 0;
  bytesWritten = 0;
  writeQueueSize = 0;
  /** Of a socket that was given an address instead of a name: it waits for the connection here. */
  #request: ConnectRequest | undefined;
  /** What arrived while the socket was not reading. */
  #held: { readonly error: Error | undefined; readonly bytes: Uint8Array | undefined } | undefined;
  #isPulling = false;
  #isAtEnd = false;
  #isClosed = false;
  readonly #parts: TcpParts;

  constructor(type: number, parts: TcpParts) {
    if (type !== 0) throw parts.network.refusal('Servers are not offered here.');
    this.#parts = parts;
  }

  dial(protocol: string, host: string, port: number, credentials: Credentials | undefined, onDone: OnDialed) {
    this.id = this.#parts.call('net.open', protocol, host, port, credentials);
    this.#parts.network.open.add(this);
    this.#parts.jobs.start('net.connect', [this.id], (error, about) => {
      if (this.#isClosed) return;
      if (error === undefined) this.about = about;
      onDone(error);
      if (error === undefined && this.#request !== undefined) this.#complete(this.#request);
    });
  }

  connect(request: ConnectRequest) {
    if (this.about === undefined) this.#request = request;
    else this.#parts.nextTick(() => this.#complete(request));
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
    else this.#parts.setImmediate(() => this.#deliver(held.error, held.bytes));
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
      ? chunks.filter((chunk) => typeof chunk !== 'string')
      : chunks
          .filter((_, index) => index % 2 === 0)
          .map((chunk, index) =>
            typeof chunk === 'string'
              ? this.#parts.Buffer.from(chunk, chunks[2 * index + 1] as BufferEncoding)
              : chunk,
          );
    return this.#write(request, this.#parts.Buffer.concat(parts));
  }
  writeUtf8String(request: WriteRequest, text: string) {
    return this.#write(request, this.#parts.Buffer.from(text, 'utf8'));
  }
  writeAsciiString(request: WriteRequest, text: string) {
    return this.#write(request, this.#parts.Buffer.from(text, 'latin1'));
  }
  writeLatin1String(request: WriteRequest, text: string) {
    return this.#write(request, this.#parts.Buffer.from(text, 'latin1'));
  }
  writeUcs2String(request: WriteRequest, text: string) {
    return this.#write(request, this.#parts.Buffer.from(text, 'utf16le'));
  }

  shutdown(request: WriteRequest) {
    this.#parts.jobs.start('net.end', [this.id], () => {
      if (!this.#isClosed) request.oncomplete(0);
    });
    return 0;
  }

  close(callback?: () => void) {
    this.#isClosed = true;
    this.#parts.network.open.delete(this);
    if (this.id !== undefined) this.#parts.call('net.close', this.id);
    if (callback === undefined) return;
    // At the end of an invocation there is no later turn.
    const { network, nextTick, setImmediate } = this.#parts;
    (network.isClearing() ? nextTick : setImmediate)(callback);
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
  // UV_EINVAL.
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
    return this[this.#parts.owner];
  }

  #pull(): void {
    if (this.#isPulling || this.#isAtEnd || this.#isClosed || this.about === undefined) return;
    this.#isPulling = true;
    this.#parts.jobs.start('net.read', [this.id], (error, bytes) => {
      this.#isPulling = false;
      this.#deliver(error, bytes);
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
    const { state, readBytes, bufferOffset } = this.#parts.network.streamState;
    // UV_EOF.
    state[readBytes] = bytes?.length ?? -4095;
    state[bufferOffset] = 0;
    this.onread?.(bytes?.buffer);
    if (this.reading) this.#pull();
  }

  #write(request: WriteRequest, bytes: Uint8Array): number {
    const { state, bytesWritten, wasAsync } = this.#parts.network.streamState;
    state[bytesWritten] = bytes.length;
    state[wasAsync] = 1;
    this.bytesWritten += bytes.length;
    this.writeQueueSize += bytes.length;
    this.#send(request, bytes, 0);
    return 0;
  }

  /** Piece by piece, so that no more waits at the host than it can send. */
  #send(request: WriteRequest, bytes: Uint8Array, at: number): void {
    const piece = bytes.subarray(at, at + 65_536);
    this.#parts.jobs.start('net.write', [this.id, exactBytes(piece)], (error) => {
      this.writeQueueSize -= piece.length;
      if (error === undefined && at + piece.length < bytes.length && !this.#isClosed) {
        this.#send(request, bytes, at + piece.length);
        return;
      }
      if (error !== undefined && !this.#isClosed) this.#owner()?.destroy(error);
      // UV_ECANCELED: the socket has been told why.
      request.oncomplete(error === undefined ? 0 : -125);
    });
  }
}
