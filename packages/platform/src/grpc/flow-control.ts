import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Http2Session, ServerHttp2Stream } from 'node:http2';

/**
 * Bytes that a peer may send before it hears that earlier ones were read (RFC 9113 section 5.2), of a connection and of
 * each stream. HTTP/2's default is 64 KiB, and a frame of calls may have four times as much: its sender would wait in the middle.
 */
export const flowControlWindow = 1024 * 1024;

const created = 'http2.server.stream.created';
const widened = new WeakSet<Http2Session>();

/** Widens the windows of connections that this process's servers accept: grpc-js has an option for those of clients only. */
export function widenServerWindows(): void {
  // Once, however many servers there are.
  unsubscribe(created, widen);
  subscribe(created, widen);
}

function widen(message: unknown): void {
  const { session } = (message as { readonly stream: ServerHttp2Stream }).stream;
  if (session === undefined || widened.has(session)) return;
  widened.add(session);
  session.settings({ initialWindowSize: flowControlWindow });
  session.setLocalWindowSize(flowControlWindow);
}
