/** What a response's head says. */
export interface ResponseHead {
  readonly major: number;
  readonly minor: number;
  readonly status: number;
  readonly statusMessage: string;
  /** Names and values in turn, as they were sent. */
  readonly headers: string[];
  readonly contentLength: number | undefined;
  readonly chunked: boolean;
  /** There is a Transfer-Encoding, whatever it is. */
  readonly encoded: boolean;
  readonly upgrade: boolean;
  /** Whether another response may follow, as far as the head says. */
  readonly persistent: boolean;
}

/** An error as Node's parser makes it. */
export function parserError(code: string, reason: string): Error {
  return Object.assign(new Error('Parse Error'), { code, reason });
}

export function isParserError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('HPE_');
}

export function headerOverflow(): Error {
  return parserError('HPE_HEADER_OVERFLOW', 'Header overflow');
}

/** @param text a response's head without the empty line at its end. */
export function headOf(text: string, maxHeaderSize: number): ResponseHead {
  const end = text.indexOf('\r\n');
  const line = end === -1 ? text : text.slice(0, end);
  checkCharacters(line);
  const [, major = '', minor = '', rest = ''] = /^HTTP\/(\d)\.(\d)(?!\d)(.*)$/s.exec(line) ?? [];
  if (!['0.9', '1.0', '1.1', '2.0'].includes(`${major}.${minor}`))
    throw parserError('HPE_INVALID_VERSION', 'Invalid HTTP version');
  const [, status, statusMessage = ''] = /^ (\d{1,3})(?: (.*))?$/s.exec(rest) ?? [];
  if (status === undefined)
    throw parserError(
      'HPE_INVALID_STATUS',
      /^ \d{4}/.test(rest) ? 'Response overflow' : 'Invalid response status',
    );
  const headers = end === -1 ? [] : headersOf(text.slice(end + 2), maxHeaderSize - statusMessage.length);
  return {
    major: Number(major),
    minor: Number(minor),
    status: Number(status),
    statusMessage,
    headers,
    ...framingOf(headers, Number(status), major === '1' && minor === '1'),
  };
}

export function checkCharacters(line: string): void {
  if (!/[^\t\x20-\x7e\x80-\xff]/.test(line)) return;
  throw line.includes('\r')
    ? parserError('HPE_LF_EXPECTED', 'Missing expected LF after header value')
    : parserError('HPE_INVALID_HEADER_TOKEN', 'Invalid header value char');
}

/** Names and values in turn. @param text whole lines, without the end of the last. */
export function headersOf(text: string, maxHeaderSize: number): string[] {
  const headers: string[] = [];
  let size = 0;
  for (const line of text === '' ? [] : text.split('\r\n')) {
    checkCharacters(line);
    if (/^[ \t]/.test(line) && headers.length > 0) {
      headers.push(`${headers.pop()}${line}`);
      size += line.length;
      continue;
    }
    const [, name, value = ''] = /^([ ^_`a-zA-Z\-0-9!#$%&'*+.|~]*):(.*)$/.exec(line) ?? [];
    if (name === undefined) throw parserError('HPE_INVALID_HEADER_TOKEN', 'Invalid header token');
    headers.push(name, value.replace(/^[ \t]+/, ''));
    size += name.length + value.length;
    if (size >= maxHeaderSize) throw headerOverflow();
  }
  for (let i = 1; i < headers.length; i += 2) headers[i] = headers[i]!.replace(/[ \t]+$/, '');
  return headers;
}

/** How the body ends, by the headers. */
export function framingOf(
  headers: readonly string[],
  status: number,
  persistsByItself: boolean,
): Pick<ResponseHead, 'contentLength' | 'chunked' | 'encoded' | 'upgrade' | 'persistent'> {
  let contentLength: number | undefined;
  let chunked = false;
  let encoded = false;
  let wantsUpgrade = false;
  const connection = new Set<string>();
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1]!.toLowerCase();
    const name = headers[i]!.toLowerCase();
    if (name === 'content-length') {
      if (contentLength !== undefined)
        throw parserError('HPE_UNEXPECTED_CONTENT_LENGTH', 'Duplicate Content-Length');
      contentLength = lengthOf(value);
    } else if (name === 'transfer-encoding') {
      encoded = true;
      chunked = /(?:^|,)[ \t]*chunked$/.test(value);
    } else if (name === 'upgrade') wantsUpgrade = true;
    else if (name === 'connection' || name === 'proxy-connection')
      for (const token of value.split(',')) connection.add(token.trim());
    if (encoded && contentLength !== undefined)
      throw parserError(
        'HPE_UNEXPECTED_CONTENT_LENGTH',
        "Content-Length can't be present with Transfer-Encoding",
      );
  }
  return {
    contentLength,
    chunked,
    encoded,
    upgrade: wantsUpgrade && connection.has('upgrade') && status === 101,
    persistent: persistsByItself ? !connection.has('close') : connection.has('keep-alive'),
  };
}

export function lengthOf(value: string): number {
  if (value === '') throw parserError('HPE_INVALID_CONTENT_LENGTH', 'Empty Content-Length');
  if (!/^\d+$/.test(value))
    throw parserError('HPE_INVALID_CONTENT_LENGTH', 'Invalid character in Content-Length');
  const length = Number(value);
  if (!Number.isSafeInteger(length))
    throw parserError('HPE_INVALID_CONTENT_LENGTH', 'Content-Length overflow');
  return length;
}

/** How a body comes, RFC 9112, 6.3. @param skipped the request was one whose response has none. */
export function bodyKind(head: ResponseHead, skipped: boolean): 'none' | 'length' | 'chunk' | 'eof' {
  const { status, chunked, encoded, contentLength } = head;
  if (skipped || (status >= 100 && status < 200) || status === 204 || status === 304) return 'none';
  if (chunked) return 'chunk';
  if (encoded || contentLength === undefined) return 'eof';
  return contentLength === 0 ? 'none' : 'length';
}
