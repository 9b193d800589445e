import type { InboundBody } from '../receive/receive-body.ts';
import type { SentBody } from './sent-headers.ts';

/** Headers and body that go to the destination, but for what the gateway says itself (sent-headers.ts). */
export interface OutboundMessage extends SentBody {
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer | AsyncIterable<Buffer> | null;
}

/**
 * A request that nothing transforms.
 * @param contentLength as the client announced it
 * @param filled what detokenization made of a body that was read whole: the same bytes when there was nothing to fill
 */
export function untransformed(
  headers: readonly string[],
  contentLength: string | undefined,
  body: InboundBody,
  filled: Buffer | undefined,
): OutboundMessage {
  if (body.kind !== 'whole') {
    return { headers, contentLength, decoded: false, body: body.kind === 'stream' ? body.stream : null };
  }
  const changed = filled !== undefined && filled !== body.text;
  const bytes = changed ? filled : body.sent;
  return { headers, contentLength: String(bytes.length), decoded: changed && body.decoded, body: bytes };
}
