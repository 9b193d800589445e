import { ExpressionError } from './expression-error.ts';

/** One part of a multipart body. */
export interface Part {
  /** Value of its `Content-Type` header; `undefined` if it has none. */
  readonly contentType: string | undefined;
  /** Offset of its content's first byte. */
  readonly start: number;
  /** Offset of the byte behind its content. */
  readonly end: number;
}

/** What begins every boundary line. */
export function dashBoundary(boundary: string): Buffer {
  return Buffer.from(`--${boundary}`, 'latin1');
}

/**
 * Splits a multipart body at its boundaries (RFC 2046, section 5.1). What comes before the first
 * boundary and behind the last one is part of nothing.
 */
export function* partsOf(body: Buffer, boundary: string): Generator<Part, void, undefined> {
  const dashes = dashBoundary(boundary);
  const delimiter = Buffer.concat([newLine, dashes]);
  const first = body.subarray(0, dashes.length).equals(dashes)
    ? 0
    : find(body, delimiter, 0) + newLine.length;
  let behind = first + dashes.length;
  for (let parts = 0; body.toString('latin1', behind, behind + 2) !== '--'; parts += 1) {
    if (parts === maxParts)
      throw new ExpressionError('invalid_body', `The body has more than ${maxParts} parts`, behind);
    const lineEnd = find(body, newLine, behind);
    if (lineEnd > behind && body.toString('latin1', behind, lineEnd).trim() !== '') throw malformed(behind);
    const end = find(body, delimiter, lineEnd);
    const headersEnd = find(body.subarray(0, end + newLine.length), blankLine, lineEnd);
    if (headersEnd - lineEnd > maxHeaderBytes) throw malformed(lineEnd);
    const start = headersEnd + blankLine.length;
    const contentType = contentTypeIn(body.toString('latin1', lineEnd, headersEnd));
    if (start < end) yield { contentType, start, end };
    behind = end + delimiter.length;
  }
}

/** Browsers send a part for each field of a form; none has this many. */
const maxParts = 1000;
/** As much as Node takes for the headers of a whole request. */
const maxHeaderBytes = 16 * 1024;

const newLine = Buffer.from('\r\n');
const blankLine = Buffer.from('\r\n\r\n');

function find(body: Buffer, bytes: Buffer, from: number): number {
  const index = body.indexOf(bytes, from);
  if (index === -1) throw malformed(from);
  return index;
}

function malformed(position: number): ExpressionError {
  return new ExpressionError('invalid_body', 'The body is not valid multipart', position);
}

function contentTypeIn(headers: string): string | undefined {
  const line = headers
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((text) => /^content-type[ \t]*:/i.test(text));
  return line?.slice(line.indexOf(':') + 1).trim();
}
