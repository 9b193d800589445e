import { type Dispatcher, errors } from 'undici';

import { isHeaderValue } from '../header-list.ts';
import { isToken } from './characters.ts';

/** A request as it is written, but for its body and what says how long that is. */
export interface OutgoingRequest {
  /** Its lines, each with its end. */
  readonly head: string;
  readonly body: Buffer | AsyncIterable<Uint8Array> | undefined;
  /** Of a body that comes in parts, if it was announced. */
  readonly length: number | undefined;
  /** Without a body it says so: the method lets a server expect one. */
  readonly mayHaveBody: boolean;
  readonly isHead: boolean;
  /** The connection is not used again. */
  readonly closes: boolean;
}

/** A request's own headers, as far as they are not sent as they are. */
interface OwnHeaders {
  lines: string;
  host: string | undefined;
  length: number | undefined;
  closes: boolean;
}

const targetPattern = /^\/[\x21-\x7e\x80-\xff]*$/;
const bodyMethods: ReadonlySet<string> = new Set(['PUT', 'POST', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/**
 * Checks a request, and writes its head. Nothing that could end a line, or frame the body in another way, gets through.
 * @param host of the URL, with a port that is not the scheme's
 * @throws InvalidArgumentError, NotSupportedError, RequestContentLengthMismatchError of undici
 */
export function outgoingRequest(host: string, options: Dispatcher.DispatchOptions): OutgoingRequest {
  const { method, path } = options;
  if (!targetPattern.test(path)) throw new errors.InvalidArgumentError('invalid request path');
  if (!isToken(method)) throw new errors.InvalidArgumentError('invalid request method');
  if (method === 'CONNECT' || options.upgrade || options.query) {
    throw new errors.NotSupportedError('CONNECT, upgrade and query are not supported');
  }
  const own: OwnHeaders = { lines: '', host: undefined, length: undefined, closes: false };
  addHeaders(own, options.headers);
  const body = bodyOf(options.body);
  const isWhole = body === undefined || Buffer.isBuffer(body);
  if (isWhole && own.length !== undefined && own.length !== (body?.length ?? 0)) {
    throw new errors.RequestContentLengthMismatchError();
  }
  const mayHaveBody = bodyMethods.has(method);
  const isHead = method === 'HEAD';
  // A server may take the body of such a request for the next one, and may send one in answer to HEAD.
  const closes = own.closes || isHead || (!mayHaveBody && body !== undefined);
  const connection = closes ? 'close' : 'keep-alive';
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${own.host ?? host}\r\nconnection: ${connection}\r\n${own.lines}`;
  return { head, body, length: own.length, mayHaveBody, isHead, closes };
}

function bodyOf(body: unknown): OutgoingRequest['body'] {
  if (body === null || body === undefined) return undefined;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes instanceof Uint8Array) {
    if (bytes.length === 0) return undefined;
    return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  if (typeof bytes === 'object' && Symbol.asyncIterator in bytes) return bytes as AsyncIterable<Uint8Array>;
  throw new errors.InvalidArgumentError('body must be text, bytes or an async iterable of them');
}

function addHeaders(own: OwnHeaders, headers: Dispatcher.DispatchOptions['headers']): void {
  if (headers === null || headers === undefined) return;
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) addAll(own, name, value);
    return;
  }
  if (headers.length % 2 !== 0) throw new errors.InvalidArgumentError('headers array must be even');
  for (let at = 0; at < headers.length; at += 2)
    addHeader(own, headers[at] as string, headers[at + 1] as string);
}

function addAll(own: OwnHeaders, name: string, value: unknown): void {
  if (value === undefined) return;
  for (const one of Array.isArray(value) ? value : [value]) addHeader(own, name, String(one));
}

function addHeader(own: OwnHeaders, name: string, value: string): void {
  if (!isToken(name)) throw new errors.InvalidArgumentError('invalid header key');
  if (typeof value !== 'string' || !isHeaderValue(value)) {
    throw new errors.InvalidArgumentError(`invalid ${name} header`);
  }
  if (!mayFrame(name) || !addOwn(own, name.toLowerCase(), value)) own.lines += `${name}: ${value}\r\n`;
}

/** @returns whether the header is none that is sent as it is. @param name in lower case */
function addOwn(own: OwnHeaders, name: string, value: string): boolean {
  switch (name) {
    case 'host':
      if (own.host !== undefined) throw new errors.InvalidArgumentError('duplicate host header');
      own.host = value;
      return true;
    case 'content-length':
      if (own.length !== undefined) throw new errors.InvalidArgumentError('duplicate content-length header');
      own.length = lengthOf(value);
      return true;
    case 'connection':
      own.closes ||= closesConnection(value);
      return true;
    case 'expect':
      throw new errors.NotSupportedError('expect header not supported');
    case 'transfer-encoding':
    case 'keep-alive':
    case 'upgrade':
      throw new errors.InvalidArgumentError(`invalid ${name} header`);
    default:
      return false;
  }
}

function lengthOf(value: string): number {
  const length = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(length)) throw new errors.InvalidArgumentError('invalid content-length header');
  return length;
}

function closesConnection(value: string): boolean {
  const options = value
    .toLowerCase()
    .split(',')
    .map((option) => option.trim());
  if (!options.every(isToken)) throw new errors.InvalidArgumentError('invalid connection header');
  return options.includes('close');
}

/** By length and first letter, so that most names need not be changed to lower case. */
function mayFrame(name: string): boolean {
  return framingShapes[name.length * 32 + (name.charCodeAt(0) & 0x1f)] === 1;
}

const framingShapes = new Uint8Array(18 * 32);
for (const name of [
  'host',
  'content-length',
  'connection',
  'expect',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
]) {
  framingShapes[name.length * 32 + (name.charCodeAt(0) & 0x1f)] = 1;
}
