import { BrokenAnswer } from './broken-answer.ts';
import { cr, lf, space } from './characters.ts';
import { readFields } from './fields.ts';

export const maxStatusLineBytes = 8 * 1024;

export interface AnswerHead {
  /** 100 to 999, and not 101. */
  readonly status: number;
  /** Any characters but CR and LF; one for each byte. */
  readonly phrase: string;
  /** Flat list of names and values, as they came. */
  readonly headers: string[];
  /** As content-length says; undefined: it does not. */
  readonly length: number | undefined;
  readonly isChunked: boolean;
  /** Whether the connection may be used again, as far as the head says. */
  readonly staysOpen: boolean;
  /** Milliseconds that an idle connection is kept by the destination; undefined: it does not say. */
  readonly keepAliveMs: number | undefined;
}

/**
 * Reads the head of an answer (RFC 9112 sections 4 to 6).
 * @param text of all lines with their ends, one character for each byte
 * @throws BrokenAnswer
 */
export function readHead(text: string): AnswerHead {
  if (!/^HTTP\/1\.[01] /.test(text)) throw new BrokenAnswer('not-http');
  const status = statusOf(text);
  const lineEnd = text.indexOf('\n', 12);
  if (text.indexOf('\r', 12) !== lineEnd - 1) throw new BrokenAnswer('line-end');
  const phrase = text.slice(13, lineEnd - 1);
  if (lineEnd > maxStatusLineBytes) throw new BrokenAnswer('too-large');
  const headers: string[] = [];
  readFields(text, lineEnd + 1, headers);
  // What an interim answer says of a body or of the connection does not count.
  const framing = status < 200 ? new Framing() : framingOf(headers);
  const isFirstVersion = text.charCodeAt(7) === zero;
  if (framing.isChunked && (framing.length !== undefined || isFirstVersion))
    throw new BrokenAnswer('framing');
  const { length, isChunked, keepAliveMs, closes, keepsAlive } = framing;
  const staysOpen = !closes && (!isFirstVersion || keepsAlive);
  return { status, phrase, headers, length, isChunked, staysOpen, keepAliveMs };
}

const [zero, nine] = [0x30, 0x39];

function statusOf(text: string): number {
  let status = 0;
  for (let at = 9; at < 12; at += 1) {
    const code = text.charCodeAt(at);
    if (!(code >= zero && code <= nine)) throw new BrokenAnswer('status');
    status = status * 10 + (code - zero);
  }
  const next = text.charCodeAt(12);
  if (next !== space && next !== cr && next !== lf) throw new BrokenAnswer('status');
  if (status < 100 || status === 101) throw new BrokenAnswer('status');
  return status;
}

class Framing {
  length: number | undefined;
  isChunked = false;
  closes = false;
  keepsAlive = false;
  keepAliveMs: number | undefined;
}

/** By the length of a name, so that most of them need not be changed to lower case. */
function framingOf(headers: readonly string[]): Framing {
  const framing = new Framing();
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!;
    const value = headers[at + 1]!;
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (framing.length !== undefined) throw new BrokenAnswer('length');
      framing.length = lengthOf(value);
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (framing.isChunked || value.toLowerCase() !== 'chunked') throw new BrokenAnswer('framing');
      framing.isChunked = true;
    } else if (name.length === 10) readHopHeader(name.toLowerCase(), value, framing);
  }
  return framing;
}

/** As many digits as a number below 2^53 has. */
const lengthPattern = /^\d{1,16}$/;

function lengthOf(value: string): number {
  const length = lengthPattern.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(length)) throw new BrokenAnswer('length');
  return length;
}

function readHopHeader(name: string, value: string, framing: Framing): void {
  if (name === 'connection') {
    for (const option of value.toLowerCase().split(',')) {
      const trimmed = option.trim();
      if (trimmed === 'close') framing.closes = true;
      else if (trimmed === 'keep-alive') framing.keepsAlive = true;
    }
  } else if (name === 'keep-alive') {
    const seconds = /timeout=(\d+)/.exec(value)?.[1];
    if (seconds !== undefined) framing.keepAliveMs ??= Number(seconds) * 1000;
  }
}
