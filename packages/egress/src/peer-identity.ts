import { TLSSocket } from 'node:tls';

import { EgressConnectFailed, PinMismatch } from './egress-errors.ts';
import { publicKeyPin } from './public-key-pin.ts';

/** In milliseconds. A server that sends neither a ticket nor an alert in this time is sent a request all the same. */
const verdictWithinMs = 300;

/**
 * Waits until the handshake has succeeded for both sides, before a byte of a request is written.
 *
 * @param pins (public-key-pin.ts), one of which is that of the server's own certificate; empty: any
 * @param done gets an EgressConnectFailed of the stage `tls`
 */
export function proveIdentity(
  socket: unknown,
  hostname: string,
  pins: readonly string[],
  done: (failed: EgressConnectFailed | null) => void,
): void {
  const fail = (cause: Error) => done(new EgressConnectFailed('tls', hostname, cause));
  if (!(socket instanceof TLSSocket)) return fail(new Error('there is no TLS'));
  if (pins.length > 0 && !pins.includes(pinOf(socket))) return fail(new PinMismatch());
  if (socket.getProtocol() !== 'TLSv1.3') return done(null);
  awaitVerdict(socket, (refused) => (refused === null ? done(null) : fail(refused)));
}

function pinOf(socket: TLSSocket): string {
  try {
    const certificate = socket.getPeerX509Certificate();
    return certificate === undefined ? '' : publicKeyPin(certificate);
  } catch {
    // Of a kind that Node cannot export.
    return '';
  }
}

/**
 * In TLS 1.3 a client's handshake ends before the server has looked at the client's certificate, or missed it. After that,
 * servers send a ticket to resume the session with, or an alert (RFC 8446 sections 4.6.1 and 6.2).
 */
function awaitVerdict(socket: TLSSocket, done: (refused: Error | null) => void): void {
  let immediate: NodeJS.Immediate | undefined;
  const settle = (refused: Error | null) => {
    clearTimeout(timer);
    clearImmediate(immediate);
    socket.off('session', accepted).off('error', settle).off('close', closed);
    done(refused);
  };
  // The event comes while OpenSSL reads, and what is written meanwhile is never sent.
  const accepted = () => (immediate ??= setImmediate(settle, null));
  const closed = () => settle(new Error('the server closed the connection'));
  const timer = setTimeout(settle, verdictWithinMs, null);
  socket.on('session', accepted).once('error', settle).once('close', closed);
}
