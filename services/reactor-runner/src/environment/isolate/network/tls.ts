import { exactBytes } from '../bridge.ts';
import type { Scope } from '../scope.ts';
import type { Credentials, IsolateNetwork } from './network.ts';
import type { TcpHandle } from './tcp.ts';

type Options = Record<string, unknown>;

interface NetSocket {
  _handle: TcpHandle | null;
  once(event: string, listener: unknown): void;
  emit(event: string): void;
  connect(options: object): void;
  setTimeout(ms: unknown): void;
  destroy(error?: Error): void;
  _destroy(error: Error | null, done: (error: Error | null) => void): void;
}

/** The modules below Node's `tls`. The host does TLS, and its judgement of the other side is the one that counts. */
export function tlsModules(
  { call, load }: Scope,
  { secured, refusal }: IsolateNetwork,
): Record<string, () => object> {
  const contexts = new WeakMap<object, Options>();
  const { apply } = Reflect;

  class SecureContext {
    readonly context = {};
  }

  const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
  const exact = (part: unknown) =>
    ArrayBuffer.isView(part) || part instanceof ArrayBuffer ? exactBytes(part) : String(part);

  /** `key` and `pfx` may be lists of objects, each with a passphrase of its own. */
  function credentialsOf(options: Options): Credentials | undefined {
    const context = contexts.get(options['secureContext'] as object);
    const all: Options = { ...context, ...options };
    const parts: Record<string, unknown> = {};
    let { passphrase } = all;
    for (const name of ['ca', 'cert', 'key', 'pfx']) {
      if (all[name] === undefined || all[name] === null) continue;
      parts[name] = listOf(all[name]).map((part) => {
        const { pem, buf, passphrase: own } = Object(part) as Options;
        if (pem === undefined && buf === undefined) return exact(part);
        passphrase = own ?? passphrase;
        return exact(pem ?? buf);
      });
    }
    if (Object.keys(parts).length === 0) return undefined;
    return { ...parts, ...(passphrase === undefined ? {} : { passphrase: String(passphrase as string) }) };
  }

  function createSecureContext(options: Options = {}): SecureContext {
    const context = new SecureContext();
    contexts.set(context, options);
    return context;
  }

  /** As `net.connect`, with the options in whichever place. */
  function normalized(args: unknown[]): { options: Options; onSecure: unknown } {
    const { _normalizeArgs: normalizeArgs } = load('net') as {
      _normalizeArgs: (args: unknown[]) => [Options, unknown];
    };
    const [first, onSecure] = normalizeArgs(args);
    const more = args.slice(1, 3).find((arg) => typeof arg === 'object' && arg !== null);
    return { options: { ...first, ...(more as Options | undefined) }, onSecure };
  }

  function wrap(): object {
    const { Socket, Server } = load('net') as unknown as {
      Socket: new (options?: object) => NetSocket;
      Server: Function;
    };

    class TLSSocket extends Socket {
      readonly encrypted = true;
      authorized = false;
      authorizationError: unknown = null;
      secureConnecting = true;
      alpnProtocol: string | false | null = null;
      servername: string | null = null;
      readonly #isLenient: boolean;

      constructor(socket: unknown, options: Options = {}) {
        if (socket !== undefined && socket !== null)
          throw refusal('TLS over another stream is not offered here; use https.');
        const { allowHalfOpen, highWaterMark } = options;
        super({ allowHalfOpen, ...(highWaterMark === undefined ? {} : { highWaterMark }) });
        this.#isLenient = options['rejectUnauthorized'] === false;
        secured.set(this, { credentials: credentialsOf(options) });
      }

      /** @param check user code's own word on the certificate, besides the host's. */
      begin(host: string, check: unknown): void {
        this.authorized = true;
        this.alpnProtocol = false;
        this.servername = host;
        this.secureConnecting = false;
        const problem =
          typeof check === 'function'
            ? (apply(check, undefined, [host, this.getPeerCertificate(true)]) as unknown)
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
        ) as Options | undefined;
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

    function connect(...args: unknown[]): TLSSocket {
      const { options, onSecure } = normalized(args);
      if (options['socket'] !== undefined && options['socket'] !== null)
        throw refusal('TLS over another connection is not offered here; use https.');
      const socket = new TLSSocket(undefined, options);
      if (typeof onSecure === 'function') socket.once('secureConnect', onSecure);
      if (options['timeout'] !== undefined) socket.setTimeout(options['timeout']);
      const host = String(options['host'] ?? 'localhost');
      socket.once('connect', () => socket.begin(host, options['checkServerIdentity']));
      socket.connect(options);
      return socket;
    }

    function createServer(): never {
      throw refusal('Servers are not offered here.');
    }
    return { TLSSocket, Server, createServer, connect };
  }

  return {
    _tls_common: () => ({
      SecureContext,
      createSecureContext,
      translatePeerCertificate: (certificate: unknown) => certificate,
    }),
    _tls_wrap: wrap,
    'internal/tls/secure-pair': () => ({
      createSecurePair() {
        throw refusal('tls.createSecurePair() is not offered here.');
      },
    }),
  };
}
