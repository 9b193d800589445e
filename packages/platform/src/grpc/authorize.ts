import { createHash, timingSafeEqual } from 'node:crypto';

import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';

import { enterScope } from '../telemetry/call-scope.ts';
import type { Logger } from '../telemetry/logger.ts';
import { serviceOf } from './identity.ts';
import type { PeerTokens } from './peer-tokens.ts';

/** Path of a method (`/package.Service/Method`) -> names of the services that may call it. Others are denied. */
export type AllowTable = Readonly<Record<string, readonly string[]>>;

export interface AuthorizeOptions {
  readonly peers: PeerTokens;
  /** Prefix of the URIs in certificates (identity.ts). If it is set, the certificate names the peer. */
  readonly identityPrefix: string | undefined;
  readonly allow: AllowTable;
  /** Starts of paths that anyone may call. */
  readonly open: readonly string[];
  /** Starts of paths that any known peer may call. */
  readonly anyPeer: readonly string[];
  readonly draining: AbortSignal;
  readonly logger: Logger;
}

/**
 * Authorizes a call by the certificate of its connection, by the token in its `authorization: Bearer …` metadata, and
 * by the allow table, before it reads any message. Answers UNAUTHENTICATED without a known token or with another
 * service's certificate, PERMISSION_DENIED without an entry.
 */
export function authorizePeers(options: AuthorizeOptions): ServerInterceptor {
  const identify = peerReader(options.peers);
  return (method, call) => {
    if (options.open.some((prefix) => method.path.startsWith(prefix)))
      return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const bearer = identify(metadata);
            const peer =
              options.identityPrefix === undefined ? bearer : certified(call, options.identityPrefix);
            const refusal = bearer === peer ? refusalOf(options, method.path, peer) : mismatch;
            if (peer !== undefined && refusal === undefined) {
              metadata.remove('authorization');
              enterScope(metadata, { peer, draining: options.draining, logger: options.logger });
              pass(metadata);
              return;
            }
            const line = { method: method.path, peer, bearer, from: call.getPeer() };
            options.logger.warn(line, 'refused a call');
            call.sendStatus(refusal ?? unauthenticated);
          },
        }),
    });
  };
}

const unauthenticated = {
  code: status.UNAUTHENTICATED,
  details: 'The calling service presents no valid token.',
};

const mismatch = {
  code: status.UNAUTHENTICATED,
  details: 'The certificate and the token of the calling service are not of the same one.',
};

/** The service in the connection's certificate, which the handshake has verified. */
function certified(call: ServerInterceptingCallInterface, prefix: string): string | undefined {
  const { sslPeerCertificate } = call.getAuthContext();
  return sslPeerCertificate && serviceOf(sslPeerCertificate, prefix);
}

function refusalOf(options: AuthorizeOptions, path: string, peer: string | undefined) {
  if (peer === undefined) return unauthenticated;
  if (options.anyPeer.some((prefix) => path.startsWith(prefix))) return undefined;
  const allowed = Object.hasOwn(options.allow, path) ? options.allow[path] : undefined;
  if (allowed?.includes(peer)) return undefined;
  return { code: status.PERMISSION_DENIED, details: 'The calling service may not call this method.' };
}

function peerReader(peers: PeerTokens): (metadata: Metadata) => string | undefined {
  const known = Object.entries(peers).flatMap(([name, hashes]) =>
    [hashes].flat().map((hex) => ({ name, hash: Buffer.from(hex, 'hex') })),
  );
  const bad = known.filter(({ hash }) => hash.length !== 32).map(({ name }) => name);
  if (bad.length > 0) throw new Error(`the token hash of ${bad.join(', ')} is not a SHA-256 in hex`);
  return (metadata) => {
    const presented = metadata.get('authorization');
    const header = presented.length === 1 ? presented[0] : undefined;
    if (typeof header !== 'string' || !header.startsWith('Bearer ')) return undefined;
    const hash = createHash('sha256').update(header.slice('Bearer '.length)).digest();
    let found: string | undefined;
    for (const peer of known) if (timingSafeEqual(peer.hash, hash)) found = peer.name;
    return found;
  };
}
