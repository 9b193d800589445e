import type { Scope } from '../scope.ts';
import type { Credentials, IsolateNetwork } from './network.ts';
import type { TcpHandle } from './tcp.ts';

interface NetSocket {
  _handle: TcpHandle | null;
  once(event: string, listener: unknown): void;
  emit(event: string): void;
  connect(options: object): void;
  setTimeout(ms: unknown): void;
  destroy(error?: Error): void;
  _destroy(error: Error | null, done: (error: Error | null) => void): void;
}

export interface TlsSocket extends NetSocket {
  /** The connection stands. @param check user code's own word on the certificate, besides the host's. */
  begin(host: string, check: unknown): void;
}

/** `tls.TLSSocket`: a socket that the host connects with TLS, and has connected only when the other side is who it is. */
export function makeTlsSocket(
  { call, load }: Scope,
  { secured, refusal }: IsolateNetwork,
  credentialsOf: (options: Record<string, unknown>) => Credentials | undefined,
): new (socket: unknown, options?: Record<string, unknown>) => TlsSocket {
  const { Socket } = load('net') as unknown as { Socket: new (options?: object) => NetSocket };

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
      const problem =
        typeof check === 'function'
          ? (Reflect.apply(check, undefined, [host, this.getPeerCertificate(true)]) as unknown)
          : undefined;
      if (problem !== undefined && problem !== null) {
        this.authorized = false;
        this.destroy(problem as Error);
        return;
      }
      (load('internal/process/task_queues')['nextTick'] as (run: () => void) => void)(() => {
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
        (error as { syscall?: unknown }).syscall === undefined
      )
        error.message += ' (certificates are always verified here: rejectUnauthorized has no effect)';
      super._destroy(error, done);
    }

    getPeerCertificate(_detailed?: boolean): object {
      const { Buffer } = load('buffer') as { Buffer: typeof globalThis.Buffer };
      const found = (
        this._handle?.id === undefined ? undefined : call('net.certificate', this._handle.id)
      ) as Record<string, unknown> | undefined;
      if (found === undefined) return {};
      for (const name of ['raw', 'pubkey']) {
        const bytes = found[name] as Uint8Array | undefined;
        if (bytes !== undefined) found[name] = Buffer.from(bytes.buffer);
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
