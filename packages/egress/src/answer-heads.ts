import type { Socket } from 'node:net';

import { errors } from 'undici';

const endOfRequestLine = ' HTTP/1.1\r\n';

/**
 * Makes what is read of a socket up to the end of each answer's status line fit for undici, wherever the bytes are
 * parted:
 * - A server may answer 100 (Continue) to a request that expects nothing, and a client has to pass over it (RFC 9110
 *   section 15.2.1). undici takes that for a broken connection, when the request may long have had its effect, but
 *   passes over other interim answers: it gets to see 102 (Processing), without fields, in place of each.
 * - undici keeps only that part of a reason phrase that came last, and decodes it as UTF-8. It gets each status line in
 *   one piece, and of its phrase one character for each byte.
 * - Too many interim answers, and a status line that is too long or has no status from 100 to 999, are errors of the
 *   protocol (classify-egress-error.ts).
 *
 * @param socket on which one request after the other is made
 * @returns the same
 */
export function readAnswerHeads(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let isAnswerNext = false;
  let head: AnswerHead | undefined;
  socket.write = (chunk: unknown, ...more: unknown[]) => {
    if (typeof chunk === 'string' && chunk.includes(endOfRequestLine)) isAnswerNext = true;
    return write(chunk, ...more);
  };
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (!isAnswerNext || chunk === null) return chunk;
    if (head === undefined && isOrdinary(chunk)) {
      isAnswerNext = false;
      return chunk;
    }
    head ??= new AnswerHead();
    try {
      const passed = head.pass(chunk);
      if (!head.isRead) return passed;
      isAnswerNext = false;
      head = undefined;
      return passed;
    } catch (error) {
      socket.destroy(error as Error);
      return null;
    }
  };
  return socket;
}

/** Whether it begins with all of the status line of a final answer, in ASCII, as nearly every one does. */
function isOrdinary(chunk: Buffer): boolean {
  const firstDigit = chunk[9] ?? 0;
  if (chunk[0] !== startOfLine.charCodeAt(0) || firstDigit < 0x32 || firstDigit > 0x39) return false;
  const end = Math.min(chunk.length, maxOrdinaryBytes);
  for (let at = 10; at < end; at += 1) {
    const byte = chunk[at]!;
    if (byte === lf) return true;
    if (byte >= 0x80) return false;
  }
  return false;
}

const maxOrdinaryBytes = 64;
const maxStatusLineBytes = 8 * 1024;
const maxInterimAnswers = 100;
const maxInterimBytes = 64 * 1024;

const statusLine = /^HTTP\/\d\.\d ([1-9]\d\d)/;
const startOfLine = 'HTTP/';
const endOfHead = Buffer.from('\r\n\r\n');
const processing = Buffer.from('HTTP/1.1 102 \r\n\r\n');
const [cr, lf] = [0x0d, 0x0a];

/** What is read in answer to one request, until the status line of the final answer has passed. */
class AnswerHead {
  /** Later bytes pass unchanged. */
  isRead = false;
  /** The begin of a status line. */
  #held: Buffer | undefined;
  /** How much of `endOfHead` the bytes end with so far; undefined outside of an interim answer. */
  #matched: number | undefined;
  #interimAnswers = 0;
  #interimBytes = 0;

  /** @returns null while nothing can be passed on. @throws HTTPParserError */
  pass(chunk: Buffer): Buffer | null {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = undefined;
    const passed: Buffer[] = [];
    let at = this.#matched === undefined ? 0 : this.#endOfInterim(bytes, 0);
    while (at < bytes.length) {
      // llhttp passes over empty lines before an answer.
      while (bytes[at] === cr || bytes[at] === lf) at += 1;
      const end = bytes.indexOf(lf, at);
      if (end < 0) {
        this.#hold(bytes.subarray(at));
        break;
      }
      if (end - at > maxStatusLineBytes) throw lineTooLong();
      const status = statusOf(bytes, at);
      if (status === 101)
        throw new errors.HTTPParserError('The server switched to a protocol that was not requested');
      if (status >= 200) {
        this.isRead = true;
        passed.push(oneCharacterForEachByte(at === 0 ? bytes : bytes.subarray(at), end - at));
        break;
      }
      this.#interimAnswers += 1;
      passed.push(processing);
      this.#matched = 2;
      at = this.#endOfInterim(bytes, end + 1);
    }
    if (this.#interimAnswers > maxInterimAnswers || this.#interimBytes > maxInterimBytes) {
      throw new errors.HTTPParserError('Too many interim answers');
    }
    return passed.length < 2 ? (passed[0] ?? null) : Buffer.concat(passed);
  }

  /** @returns where the next answer begins: perhaps behind the bytes */
  #endOfInterim(bytes: Buffer, from: number): number {
    let at = from;
    let matched = this.#matched ?? 0;
    for (; at < bytes.length && matched < endOfHead.length; at += 1) {
      if (bytes[at] === endOfHead[matched]) matched += 1;
      else matched = bytes[at] === cr ? 1 : 0;
    }
    this.#matched = matched < endOfHead.length ? matched : undefined;
    this.#interimBytes += at - from;
    return at;
  }

  #hold(line: Buffer): void {
    if (!startOfLine.startsWith(line.toString('latin1', 0, startOfLine.length))) {
      throw new errors.HTTPParserError('The response is not HTTP');
    }
    if (line.length > maxStatusLineBytes) throw lineTooLong();
    this.#held = line;
  }
}

function lineTooLong(): Error {
  return new errors.HTTPParserError('The status line is too long');
}

function statusOf(bytes: Buffer, at: number): number {
  const digits = statusLine.exec(bytes.toString('latin1', at, at + 12))?.[1];
  if (digits === undefined) throw new errors.HTTPParserError('The status line has no status');
  return Number(digits);
}

/**
 * The same bytes but those of the line that are above ASCII, as UTF-8 has the characters that Latin-1 means by them.
 */
function oneCharacterForEachByte(bytes: Buffer, lineLength: number): Buffer {
  let at = 0;
  while (at < lineLength && bytes[at]! < 0x80) at += 1;
  if (at === lineLength) return bytes;
  const line = Buffer.from(bytes.toString('latin1', 0, lineLength));
  return Buffer.concat([line, bytes.subarray(lineLength)]);
}
