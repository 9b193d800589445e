import type { NetSocket } from '../node-internals.ts';
import type { Scope } from '../scope.ts';
import type { Credentials, IsolateNetwork } from './network.ts';

export interface TlsSocket extends NetSocket {
  /** The connection is open. @param check user code's own word on the certificate, besides the host's. */
  begin(host: string, check: unknown): void;
}

/** `tls.TLSSocket`: a socket that the host connects with TLS, and has connected only when the other side is who it is. */
export function makeTlsSocket(
  { call, load }: Scope,
  { secured, refusal }: IsolateNetwork,
  credentialsOf: (options: Record<string, unknown>) => Credentials | undefined,
): new (socket: unknown, options?: Record<string, unknown>) => TlsSocket {
  const { Socket } = load('net');

  class TLSSocket extends Socket implements TlsSocket {
    readonly encrypted = true;
    authorized = false;
    authorizationError: unknown = null;
    secureConnecting = true;
    alpnProtocol: string | false | null = null;
    servername: string | null = null;
    readonly #isLenient: boolean;

    constructor(socket: unknown, options: Record<string, unknown> = {}) {
      if (socket !== undefined && socket !== null)
        throw refusal('TLS over another connection is not offered here; use https.');
      const { allowHalfOpen, highWaterMark } = options;
      super({ allowHalfOpen, ...(highWaterMark === undefined ? {} : { highWaterMark }) });
      this.#isLenient = options['rejectUnauthorized'] === false;
      secured.set(this, { credentials: credentialsOf(options) });
    }

    begin(host: string, check: unknown): void {
      this.authorized = true;
      this.alpnProtocol = false;
      this.servername = host;
      this.secureConnecting = false;
      const problem: Error | null | undefined =
        typeof check === 'function'
          ? Reflect.apply(check, undefined, [host, this.getPeerCertificate(true)])
          : undefined;
      if (problem !== undefined && problem !== null) {
        this.authorized = false;
        this.destroy(problem);
        return;
      }
      load('internal/process/task_queues').nextTick(() => {
        if (this._handle === null) return;
        this.emit('secure');
        this.emit('secureConnect');
      });
    }

    override _destroy(error: Error | null, done: (error: Error | null) => void): void {
      if (
        error !== null &&
        this.secureConnecting &&
        this.#isLenient &&
        Reflect.get(error, 'syscall') === undefined
      )
        error.message += ' (certificates are always verified here: rejectUnauthorized has no effect)';
      super._destroy(error, done);
    }

    getPeerCertificate(_detailed?: boolean): object {
      const { Buffer } = load('buffer');
      const found = this._handle?.id === undefined ? undefined : call('net.certificate', this._handle.id);
      if (found === undefined) return {};
      for (const name of ['raw', 'pubkey']) {
        const bytes = found[name];
        if (bytes instanceof Uint8Array) found[name] = Buffer.from(bytes.buffer);
      }
      return found;
    }
    getCipher(): object {
      return { ...this._handle?.about?.cipher };
    }
    getProtocol(): string | null {
      return this._handle?.about?.protocol ?? null;
    }
    getEphemeralKeyInfo(): object {
      return {};
    }
    getSharedSigalgs(): string[] {
      return [];
    }
    getCertificate(): object {
      return {};
    }
    isSessionReused(): boolean {
      return false;
    }
    setMaxSendFragment(): boolean {
      return true;
    }
    renegotiate(): never {
      throw refusal('TLS renegotiation is not offered here.');
    }
    exportKeyingMaterial(): never {
      throw refusal('Keying material of TLS is not offered here.');
    }
    getSession(): void {}
    getTLSTicket(): void {}
    getFinished(): void {}
    getPeerFinished(): void {}
    getX509Certificate(): void {}
    getPeerX509Certificate(): void {}
    setServername(): void {}
    setSession(): void {}
    enableTrace(): void {}
    disableRenegotiation(): void {}
  }
  return TLSSocket;
}
