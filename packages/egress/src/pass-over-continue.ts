import type { Socket } from 'node:net';

const endOfRequestLine = ' HTTP/1.1\r\n';
const endOfHead = '\r\n\r\n';
const continueLine = Buffer.from('HTTP/1.1 100 ');
/** Of the last digit of its status, and that of 102 (Processing). */
const digit = { at: 11, ofProcessing: 0x32 };

/**
 * A server may answer 100 (Continue) to a request that expects nothing, and a client has to pass over it (RFC 9110 section
 * 15.2.1). undici takes that for a broken connection, when the request may long have had its effect, but passes over other
 * interim answers: it gets to see one of these in its place.
 *
 * @param socket on which one request after the other is made
 * @returns the same
 */
export function passOverContinue(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let isAnswerNext = false;
  socket.write = (chunk: unknown, ...more: unknown[]) => {
    if (typeof chunk === 'string' && chunk.includes(endOfRequestLine)) isAnswerNext = true;
    return write(chunk, ...more);
  };
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (isAnswerNext && chunk !== null) isAnswerNext = rename(chunk);
    return chunk;
  };
  return socket;
}

/** @returns whether the chunk holds no more than such answers, so that the next may be one too. */
function rename(chunk: Buffer): boolean {
  let at = 0;
  while (chunk.compare(continueLine, 0, continueLine.length, at, at + continueLine.length) === 0) {
    chunk[at + digit.at] = digit.ofProcessing;
    const end = chunk.indexOf(endOfHead, at);
    if (end < 0) return true;
    at = end + endOfHead.length;
    if (at >= chunk.length) return true;
  }
  return false;
}
