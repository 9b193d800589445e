/**
 * Why bytes are no answer that this client takes:
 * - `unasked`: they came while no request was on the connection
 * - `not-http`: they do not begin as HTTP/1.0 or HTTP/1.1
 * - `status`: no status from 100 to 999, or 101 (Switching Protocols), which was not requested
 * - `line-end`: a line of the head, of the trailers or of a chunk ends with something else than CR LF
 * - `field`: the name or value of a header or trailer has a character that it cannot have, or is continued on a line
 * - `too-large`: the status line, the headers, the trailers or the extensions of chunks
 * - `interim`: too many answers before the answer
 * - `length`: content-length is given twice, or is no number below 2^53
 * - `framing`: content-length and transfer-encoding together, a transfer-encoding other than chunked or of
 *   HTTP/1.0, or one of these in trailers
 * - `chunk`: the size or an extension of a chunk is none, or its data is longer than its size
 */
export type AnswerFault =
  | 'unasked'
  | 'not-http'
  | 'status'
  | 'line-end'
  | 'field'
  | 'too-large'
  | 'interim'
  | 'length'
  | 'framing'
  | 'chunk';

/** What came back is no answer of HTTP/1.1. It holds none of its bytes, so that it may be logged. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
  readonly code = 'EGRESS_BROKEN_ANSWER';
  readonly fault: AnswerFault;

  constructor(fault: AnswerFault) {
    super(`the destination's answer is not valid HTTP: ${fault}`);
    this.fault = fault;
  }
}
