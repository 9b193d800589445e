import { type AnswerHead, maxStatusLineBytes, readHead } from './answer-head.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { cr, lf } from './characters.ts';
import { maxExtensionBytes, sizeOfChunk } from './chunk-line.ts';
import { maxFieldBytes, readFields } from './fields.ts';
import { Held } from './held.ts';

/** Gets what an answer consists of. `false` stops reading until `read` is called again. */
export interface AnswerSink {
  onInterim(): void;
  onHead(head: AnswerHead): boolean;
  onData(data: Buffer): boolean;
}

/**
 * - `head`: the begin of an answer, or the empty lines before it
 * - `sized`, `endless`: a body with a length, or one that ends with the connection
 * - `size`, `chunk`, `chunk-end`, `trailers`: parts of a chunked one
 * - `over`: nothing belongs to the answer any more
 */
type Part = 'head' | 'sized' | 'endless' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'over';

const maxInterimAnswers = 100;
/** Of interim answers, and of empty lines, together. */
const maxInterimBytes = 64 * 1024;
/** Of one answer: two bytes for each colon and line's end are enough for all that `maxFieldBytes` allows in practice. */
const maxHeadBytes = maxStatusLineBytes + 2 * maxFieldBytes;
const endOfHead = Buffer.from('\r\n\r\n');

/**
 * Reads the answers of one connection, one for each request, wherever the bytes are parted. Interim answers (RFC 9110
 * section 15.2) are checked and passed over.
 *
 * It is stricter than many clients: each line ends with CR LF, nothing is repaired, and whatever could be framed in two
 * ways is an error. After an error no more may be read.
 */
export class AnswerReader {
  readonly #sink: AnswerSink;
  readonly #held = new Held(maxHeadBytes + endOfHead.length);
  #part: Part = 'over';
  #isBodiless = false;
  /** The sink wants no more for now. */
  #isStopped = false;
  /** The first half of an empty line has come. */
  #isAfterCr = false;
  /** Of a body or chunk. */
  #left = 0;
  #interimAnswers = 0;
  #interimBytes = 0;
  #extensionBytes = 0;
  /** Lines of trailers, and their ends. */
  #trailerText = '';
  trailers: string[] = [];

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  get isOver(): boolean {
    return this.#part === 'over';
  }

  /** @param isBodiless the answer has no body, whatever its head says: that of a HEAD request */
  begin(isBodiless: boolean): void {
    this.#part = 'head';
    this.#isBodiless = isBodiless;
    this.#isStopped = false;
    this.#isAfterCr = false;
    this.#left = 0;
    this.#interimAnswers = 0;
    this.#interimBytes = 0;
    this.#extensionBytes = 0;
    this.#trailerText = '';
    this.trailers = [];
  }

  /**
   * @returns how many of the bytes were read: fewer than there are when the sink stopped or the answer is over
   * @throws BrokenAnswer
   */
  read(bytes: Buffer): number {
    let at = 0;
    for (;;) {
      const from = at;
      const part = this.#part;
      switch (part) {
        case 'over':
          return at;
        case 'head':
          at = this.#readHead(bytes, at);
          break;
        case 'sized':
        case 'chunk':
        case 'endless':
          at = this.#readData(bytes, at);
          break;
        default:
          at = this.#readLine(bytes, at, part);
      }
      if (this.#isStopped) {
        this.#isStopped = false;
        return at;
      }
      if (at === from && part === this.#part) return at;
    }
  }

  /** The connection ended. @returns whether that is the end of the answer */
  end(): boolean {
    if (this.#part !== 'endless') return false;
    this.#part = 'over';
    return true;
  }

  #readHead(bytes: Buffer, from: number): number {
    const at = this.#held.length === 0 ? this.#passEmptyLines(bytes, from) : from;
    if (at === bytes.length) return at;
    if (this.#held.length === 0) {
      const end = bytes.indexOf(endOfHead, at);
      if (end >= 0 && end - at <= maxHeadBytes) {
        this.#take(bytes.toString('latin1', at, end + 2));
        return end + endOfHead.length;
      }
    }
    return this.#holdHead(bytes, at);
  }

  #holdHead(bytes: Buffer, from: number): number {
    const before = this.#held.length;
    this.#held.add(bytes, from);
    const held = this.#held.bytes;
    const end = held.indexOf(endOfHead, Math.max(0, before - 3));
    if (end < 0) {
      expectBegin(held);
      return bytes.length;
    }
    const text = held.toString('latin1', 0, end + 2);
    this.#held.clear();
    this.#take(text);
    return from + end + endOfHead.length - before;
  }

  /** Whatever wrote them, they belong to no answer. */
  #passEmptyLines(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#isAfterCr && from < bytes.length) {
      if (bytes[at] !== lf) throw new BrokenAnswer('line-end');
      this.#isAfterCr = false;
      at += 1;
    }
    while (bytes[at] === cr) {
      if (at + 1 === bytes.length) this.#isAfterCr = true;
      else if (bytes[at + 1] !== lf) throw new BrokenAnswer('line-end');
      at = Math.min(bytes.length, at + 2);
    }
    this.#passed(at - from);
    return at;
  }

  #passed(bytes: number): void {
    this.#interimBytes += bytes;
    if (this.#interimBytes > maxInterimBytes) throw new BrokenAnswer('interim');
  }

  #take(text: string): void {
    const head = readHead(text);
    if (head.status < 200) {
      this.#interimAnswers += 1;
      if (this.#interimAnswers > maxInterimAnswers) throw new BrokenAnswer('interim');
      this.#passed(text.length);
      this.#sink.onInterim();
      return;
    }
    this.#part = this.#partAfter(head);
    this.#left = head.length ?? 0;
    this.#isStopped = !this.#sink.onHead(head);
  }

  #partAfter({ status, length, isChunked }: AnswerHead): Part {
    if (this.#isBodiless || status === 204 || status === 304) return 'over';
    if (isChunked) return 'size';
    return length === undefined ? 'endless' : 'sized';
  }

  #readData(bytes: Buffer, from: number): number {
    const isEndless = this.#part === 'endless';
    if (this.#left === 0 && !isEndless) {
      this.#part = this.#part === 'chunk' ? 'chunk-end' : 'over';
      return from;
    }
    const end = isEndless ? bytes.length : Math.min(bytes.length, from + this.#left);
    if (end === from) return from;
    if (!isEndless) this.#left -= end - from;
    const isAll = from === 0 && end === bytes.length;
    this.#isStopped = !this.#sink.onData(isAll ? bytes : bytes.subarray(from, end));
    return end;
  }

  /** One line of the framing of chunks. */
  #readLine(bytes: Buffer, from: number, part: 'size' | 'chunk-end' | 'trailers'): number {
    const end = bytes.indexOf(lf, from);
    if (end < 0) {
      this.#held.add(bytes, from);
      const limit = part === 'chunk-end' ? 1 : maxLineBytes;
      if (this.#held.length > limit) throw new BrokenAnswer(part === 'chunk-end' ? 'chunk' : 'too-large');
      return bytes.length;
    }
    let line = bytes.toString('latin1', from, end);
    if (this.#held.length > 0) {
      line = this.#held.bytes.toString('latin1') + line;
      this.#held.clear();
    }
    if (line.length > maxLineBytes) throw new BrokenAnswer('too-large');
    if (!line.endsWith('\r')) throw new BrokenAnswer(part === 'chunk-end' ? 'chunk' : 'line-end');
    if (part === 'size') this.#beginChunk(line.slice(0, -1));
    else if (part === 'trailers') this.#addTrailer(line);
    else if (line.length > 1) throw new BrokenAnswer('chunk');
    else this.#part = 'size';
    return end + 1;
  }

  #beginChunk(line: string): void {
    const size = sizeOfChunk(line);
    const extension = line.indexOf(';');
    if (extension > 0) this.#extensionBytes += line.length - extension;
    if (this.#extensionBytes > maxExtensionBytes) throw new BrokenAnswer('too-large');
    this.#left = size;
    this.#part = size === 0 ? 'trailers' : 'chunk';
  }

  #addTrailer(line: string): void {
    if (line.length > 1) {
      this.#trailerText += `${line}\n`;
      if (this.#trailerText.length > maxHeadBytes) throw new BrokenAnswer('too-large');
      return;
    }
    readFields(this.#trailerText, 0, this.trailers);
    if (this.trailers.some((text, at) => at % 2 === 0 && isFraming(text))) throw new BrokenAnswer('framing');
    this.#part = 'over';
  }
}

function isFraming(name: string): boolean {
  const lower = name.toLowerCase();
  return lower === 'content-length' || lower === 'transfer-encoding';
}

const maxLineBytes = maxExtensionBytes + 16;

/** Ends what cannot become a head early: a destination that speaks something else waits for us. */
function expectBegin(held: Buffer): void {
  const begin = held.toString('latin1', 0, 8);
  if (!['HTTP/1.0', 'HTTP/1.1'].some((right) => right.startsWith(begin))) throw new BrokenAnswer('not-http');
  const lineEnd = held.subarray(0, maxStatusLineBytes + 1).indexOf(lf);
  const isTooLong = held.length > maxHeadBytes || (lineEnd < 0 && held.length > maxStatusLineBytes);
  if (isTooLong) throw new BrokenAnswer('too-large');
}
