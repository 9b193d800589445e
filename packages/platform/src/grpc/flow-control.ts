import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Http2Session, ServerHttp2Stream } from 'node:http2';

/**
 * Bytes that a peer may send before it hears that earlier ones were read (RFC 9113 section 5.2), per connection and
 * per stream. HTTP/2's default is 64 KiB, a quarter of a frame of calls: its sender would wait in the middle.
 */
export const flowControlWindow = 1024 * 1024;

const created = 'http2.server.stream.created';
const widened = new WeakSet<Http2Session>();

/**
 * Widens the windows of connections that this process's servers accept. grpc-js has such an option for clients only.
 */
export function widenServerWindows(): void {
  // Once per process.
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
