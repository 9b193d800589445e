import { type SecureContextOptions, createSecureContext } from 'node:tls';

import {
  CallCredentials,
  ChannelCredentials,
  ServerCredentials,
  type VerifyOptions,
  type experimental,
} from '@grpc/grpc-js';

import type { Certificates } from './certificates.ts';
import { serviceOf } from './identity.ts';

/** Accepts only peers with a certificate of an accepted authority; plaintext without certificates of our own. */
export function serverCredentials(certificates: Certificates | undefined): ServerCredentials {
  return certificates === undefined ? ServerCredentials.createInsecure() : new MutualTlsServer(certificates);
}

/**
 * Shows our certificate, and accepts only a server whose certificate names the service `peer`, whatever its host name
 * or address.
 */
export function channelCredentials(certificates: Certificates | undefined, peer: string): ChannelCredentials {
  return certificates === undefined
    ? ChannelCredentials.createInsecure()
    : new MutualTlsChannel(certificates, peer);
}

class MutualTlsServer extends ServerCredentials {
  readonly #stop: () => void;

  constructor(certificates: Certificates) {
    super({ requestCert: true, rejectUnauthorized: true }, certificates.current);
    // Open connections keep theirs.
    this.#stop = certificates.onChange(() => this.updateSecureContextOptions(certificates.current));
  }

  override _removeWatcher(watcher: Parameters<ServerCredentials['_removeWatcher']>[0]): void {
    super._removeWatcher(watcher);
    if (this.getWatcherCount() === 0) this.#stop();
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}

type SecureConnector = experimental.SecureConnector;
const handshakeMs = 10_000;

/** Like grpc-js' credentials for one certificate, but made anew for each connection after a change. */
class MutualTlsChannel extends ChannelCredentials {
  readonly #certificates: Certificates;
  readonly #verify: VerifyOptions;
  /** Of the certificates of this context. */
  #fixed: { readonly of: SecureContextOptions; readonly credentials: ChannelCredentials } | undefined;

  constructor(certificates: Certificates, peer: string) {
    super();
    this.#certificates = certificates;
    this.#verify = {
      checkServerIdentity: (_host, certificate) =>
        serviceOf(certificate, certificates.identityPrefix) === peer
          ? undefined
          : new Error(`the server's certificate is not of ${peer}`),
    };
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    ...[target, options, calls]: Parameters<ChannelCredentials['_createSecureConnector']>
  ): SecureConnector {
    return {
      connect: async (socket) => {
        // A server that accepts a connection and stays silent must not block the channel.
        const limit = setTimeout(() => socket.destroy(new Error('no TLS handshake')), handshakeMs);
        return await this.#current()
          ._createSecureConnector(target, options, calls)
          .connect(socket)
          .finally(() => clearTimeout(limit));
      },
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => calls ?? CallCredentials.createEmpty(),
      destroy: () => undefined,
    };
  }

  #current(): ChannelCredentials {
    const { current } = this.#certificates;
    if (this.#fixed?.of !== current) {
      const context = createSecureContext(current);
      const credentials = ChannelCredentials.createFromSecureContext(context, this.#verify);
      this.#fixed = { of: current, credentials };
    }
    return this.#fixed.credentials;
  }
}
