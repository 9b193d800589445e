import { unitsText } from '../codecs/units.ts';
import { bodyKind, headOf, headerOverflow, headersOf, isParserError, parserError } from './http-head.ts';

/** The names are those of Node's binding; what user code listens to hangs on the numbers. */
type ParserState =
  | 'start'
  | 'length'
  | 'eof'
  | 'chunk'
  | 'chunkData'
  | 'chunkEnd'
  | 'trailers'
  | 'upgraded'
  | 'dead';

/**
 * `HTTPParser` of Node's binding, for responses: in the language, so that what a server sends meets nothing native. The
 * numbers under which it has its callbacks, and those that they answer with, are the binding's.
 */
export class HTTPParser {
  /** The library's callbacks, by the numbers below. */
  [kind: number]: ((...args: never[]) => unknown) | null | undefined;

  static readonly REQUEST = 1;
  static readonly RESPONSE = 2;
  static readonly kOnMessageBegin = 0;
  static readonly kOnHeaders = 1;
  static readonly kOnHeadersComplete = 2;
  static readonly kOnBody = 3;
  static readonly kOnMessageComplete = 4;
  static readonly kOnExecute = 5;
  static readonly kOnTimeout = 6;
  static readonly kLenientNone = 0;
  static readonly kLenientHeaders = 1;
  static readonly kLenientChunkedLength = 2;
  static readonly kLenientKeepAlive = 4;
  static readonly kLenientAll = 7;

  static readonly #maxChunkLine = 16_384;
  #state: ParserState = 'start';
  /** What has come of a head, a chunk's first line or the trailers, which are not whole yet. */
  #text = '';
  #left = 0;
  #isPersistent = true;
  #maxHeaderSize = 16_384;
  #current: Uint8Array | undefined;
  /** Counts the connections that it has served: what a callback does may end its work for one. */
  #served = 0;

  initialize(type: number, _resource: object, maxHeaderSize?: number) {
    if (type !== HTTPParser.RESPONSE) throw new Error('HTTP servers are not offered here');
    this.#state = 'start';
    this.#text = '';
    this.#maxHeaderSize = maxHeaderSize || 16_384;
    this.#served += 1;
  }

  /** @returns how many bytes were taken, or what is wrong with them. */
  execute(data: Uint8Array): number | Error {
    const serving = this.#served;
    this.#current = data;
    let at = 0;
    try {
      while (at < data.length && this.#state !== 'upgraded' && serving === this.#served)
        at = this.#step(data, at);
      return at;
    } catch (error) {
      if (isParserError(error)) return Object.assign(error, { bytesParsed: at });
      throw error;
    } finally {
      this.#current = undefined;
    }
  }

  /** The connection has ended. */
  finish(): Error | undefined {
    if (this.#state === 'eof') this.#complete();
    else if (
      this.#state !== 'dead' &&
      this.#state !== 'upgraded' &&
      (this.#state !== 'start' || this.#text !== '')
    )
      return parserError('HPE_INVALID_EOF_STATE', 'Invalid EOF state');
    return undefined;
  }

  getCurrentBuffer() {
    return this.#current;
  }
  close() {}
  free() {
    this.#served += 1;
  }
  remove() {}
  pause() {}
  resume() {}
  consume() {}
  unconsume() {}

  /** One step forward from `at`. @returns where to go on. */
  #step(data: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'start':
        return this.#head(data, at);
      case 'length':
        return this.#body(data, at, 'complete');
      case 'chunkData':
        return this.#body(data, at, 'chunkEnd');
      case 'eof':
        this.#emitBody(data.subarray(at));
        return data.length;
      case 'chunk':
        return this.#chunkLine(data, at);
      case 'chunkEnd':
        return this.#chunkEnd(data, at);
      case 'trailers':
        return this.#trailers(data, at);
      default:
        // Behind the last response.
        return data.length;
    }
  }

  /**
   * Collects text until its end is there. @returns the text before it and where it ends in the data; undefined
   * when it has not come.
   */
  #collect(data: Uint8Array, at: number, end: string, max: number): [string, number] | undefined {
    const before = this.#text.length;
    const text = this.#text + unitsText(data, at, Math.min(data.length, at + max + 1), 0xff);
    const found = text.indexOf(end, Math.max(0, before - end.length));
    if (found === -1) {
      this.#text = text;
      return undefined;
    }
    this.#text = '';
    return [text.slice(0, found), at + found + end.length - before];
  }

  #head(data: Uint8Array, at: number): number {
    if (this.#text === '' && (data[at] === 13 || data[at] === 10)) return at + 1;
    const known = Math.max(0, this.#text.length - 1);
    const collected = this.#collect(data, at, '\r\n\r\n', 2 * this.#maxHeaderSize);
    const start = collected?.[0] ?? this.#text;
    if (!'HTTP/'.startsWith(start.slice(0, 5))) throw parserError('HPE_INVALID_CONSTANT', 'Expected HTTP/');
    if (/[^\r]\n/.test(start.slice(known)))
      throw parserError('HPE_INVALID_HEADER_TOKEN', 'Invalid header value char');
    if (collected === undefined) {
      if (this.#text.length > 2 * this.#maxHeaderSize) throw headerOverflow();
      return data.length;
    }
    this.#takeHead(collected[0]);
    return collected[1];
  }

  #takeHead(text: string): void {
    const head = headOf(text, this.#maxHeaderSize);
    const { major, minor, status, statusMessage, headers, upgrade } = head;
    const probable = bodyKind(head, false);
    this.#isPersistent = head.persistent && probable !== 'eof';
    const served = this.#served;
    const answer = this.#emit(
      HTTPParser.kOnHeadersComplete,
      major,
      minor,
      headers,
      undefined,
      undefined,
      status,
      statusMessage,
      upgrade,
      this.#isPersistent,
    );
    if (served !== this.#served) return;
    const body = bodyKind(head, answer === 1);
    if (answer === 2 || (upgrade && body === 'none')) {
      this.#state = 'upgraded';
      this.#emit(HTTPParser.kOnMessageComplete);
    } else if (body === 'none') this.#complete();
    else {
      this.#state = body;
      this.#left = head.contentLength ?? 0;
    }
  }

  #body(data: Uint8Array, at: number, then: 'complete' | 'chunkEnd'): number {
    const end = Math.min(data.length, at + this.#left);
    this.#left -= end - at;
    const served = this.#served;
    this.#emitBody(data.subarray(at, end));
    if (this.#left > 0 || served !== this.#served) return end;
    if (then === 'complete') this.#complete();
    else this.#state = then;
    return end;
  }

  #chunkLine(data: Uint8Array, at: number): number {
    const collected = this.#collect(data, at, '\r\n', HTTPParser.#maxChunkLine);
    const line = collected?.[0] ?? this.#text;
    if (line !== '' && !/^[\da-f]+[ \t]*(?:\r?$|;)/i.test(line))
      throw parserError('HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size');
    if (line.length > HTTPParser.#maxChunkLine)
      throw parserError('HPE_CHUNK_EXTENSIONS_OVERFLOW', 'Chunk extensions overflow');
    if (collected === undefined) return data.length;
    this.#left = Number.parseInt(line, 16);
    if (Number.isNaN(this.#left))
      throw parserError('HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size');
    if (this.#left > Number.MAX_SAFE_INTEGER)
      throw parserError('HPE_INVALID_CHUNK_SIZE', 'Chunk size overflow');
    this.#state = this.#left === 0 ? 'trailers' : 'chunkData';
    // The end of the last chunk's line is the end of a line before the trailers, too.
    if (this.#left === 0) this.#text = '\r\n';
    return collected[1];
  }

  #chunkEnd(data: Uint8Array, at: number): number {
    if (data[at] === 10) this.#state = 'chunk';
    else if (data[at] !== 13) throw parserError('HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size');
    return at + 1;
  }

  #trailers(data: Uint8Array, at: number): number {
    const collected = this.#collect(data, at, '\r\n\r\n', 2 * this.#maxHeaderSize);
    if (collected === undefined) {
      if (this.#text.length > 2 * this.#maxHeaderSize) throw headerOverflow();
      return data.length;
    }
    const trailers = headersOf(collected[0].slice(2), this.#maxHeaderSize);
    if (trailers.length > 0) this.#emit(HTTPParser.kOnHeaders, trailers, '');
    this.#complete();
    return collected[1];
  }

  #complete(): void {
    this.#state = this.#isPersistent ? 'start' : 'dead';
    this.#text = '';
    this.#emit(HTTPParser.kOnMessageComplete);
  }

  #emitBody(piece: Uint8Array): void {
    if (piece.length > 0) this.#emit(HTTPParser.kOnBody, piece);
  }

  #emit(kind: number, ...args: unknown[]): unknown {
    const callback = this[kind];
    return typeof callback === 'function' ? Reflect.apply(callback, this, args) : undefined;
  }
}

/** In the order of Node's parser. */
export function httpMethods(): string[] {
  const words =
    'DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND ' +
    'UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE MKCALENDAR LINK ' +
    'UNLINK SOURCE';
  return words.split(' ');
}
