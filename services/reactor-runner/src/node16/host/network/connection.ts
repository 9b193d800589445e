import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { systemError } from './user-error.ts';

/** Of one piece that is handed to the isolate, or taken from it. */
export const maxPieceBytes = 64 * 1024;

/**
 * An open connection. Nothing is read ahead of what is asked for beyond the socket's own buffer, and a write
 * is done when the kernel has taken it.
 */
export class Connection {
  readonly #socket: Socket;
  #waiting: (() => void)[] = [];
  #error: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    const wake = () => {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const proceed of waiting) proceed();
    };
    socket.on('error', (error) => {
      this.#error = error;
      wake();
    });
    for (const event of ['readable', 'end', 'close']) socket.on(event, wake);
  }

  /** Of the other side, and of TLS. */
  describe(): Record<string, unknown> {
    const { remoteAddress, remotePort, remoteFamily } = this.#socket;
    const peer = { address: remoteAddress, port: remotePort, family: remoteFamily };
    if (!(this.#socket instanceof TLSSocket)) return { peer };
    return {
      peer,
      protocol: this.#socket.getProtocol() ?? undefined,
      cipher: { ...this.#socket.getCipher() },
    };
  }

  /** In the form of `tls.TLSSocket.getPeerCertificate()`; undefined without TLS. */
  certificate(): Record<string, unknown> | undefined {
    return this.#socket instanceof TLSSocket ? plain(this.#socket.getPeerCertificate()) : undefined;
  }

  /** The next bytes; undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const available = Math.min(this.#socket.readableLength, maxPieceBytes);
      const bytes: Buffer | null = available === 0 ? this.#socket.read() : this.#socket.read(available);
      if (bytes !== null) return bytes;
      if (this.#error !== undefined) throw systemError('read', this.#error);
      if (this.#socket.readableEnded || this.#socket.destroyed) return undefined;
      await this.#changed();
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#socket.write(bytes, (error) => (error ? reject(systemError('write', error)) : resolve()));
    return promise;
  }

  /** Nothing more is written; what has been is sent. */
  async end(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Both resolve with a value, or an error if the other side was first, which the isolate must not get.
    const done = () => resolve();
    this.#socket.end(done);
    this.#socket.once('close', done);
    return promise;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/** Plain data of exact size: what crosses to the isolate is the whole buffer under a view. */
function plain(certificate: object): Record<string, unknown> {
  const known = [
    'subject',
    'issuer',
    'subjectaltname',
    'infoAccess',
    'modulus',
    'bits',
    'exponent',
    'pubkey',
    'valid_from',
    'valid_to',
    'fingerprint',
    'fingerprint256',
    'ext_key_usage',
    'serialNumber',
    'raw',
  ];
  const fields: Record<string, unknown> = { ...certificate };
  const copy = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return new Uint8Array(value);
    if (Array.isArray(value)) return value.map(String);
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]))
      : value;
  };
  return Object.fromEntries(
    known.filter((name) => fields[name] !== undefined).map((name) => [name, copy(fields[name])]),
  );
}
