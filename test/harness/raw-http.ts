import { connect } from 'node:net';

import { checkRawAnswer } from './check-raw-answer.ts';

/** What came back on a raw connection until it was closed or fell silent after a whole answer. */
export interface RawAnswer {
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
  readonly text: string;
}

/**
 * Writes bytes as they are on a connection of its own, which no HTTP client would send. With `end` the sending side
 * is closed after them, as by a client that breaks off. A whole answer must be as the API is described.
 */
export function sendRaw(
  base: string,
  bytes: string | Buffer,
  options: { end?: boolean } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error('no answer and no end within 15 s'));
    }, 15_000);
    const settle = () => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      try {
        // One in chunks is not put together here.
        if (isWhole(text) && !isChunked(text)) checkRawAnswer(bytes.toString('latin1'), text);
        resolve({ status, text });
      } catch (error) {
        reject(error as Error);
      }
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks).toString('latin1'))) settle();
    });
    socket.on('error', settle);
    socket.on('end', settle);
    socket.on('close', settle);
    socket.write(bytes, () => {
      if (options.end === true) socket.end();
    });
  });
}

function isChunked(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  return /^transfer-encoding: chunked\r/im.test(text.slice(0, head + 2));
}

function isWhole(text: string): boolean {
  if (isChunked(text)) return text.endsWith('\r\n0\r\n\r\n');
  const head = text.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  return head >= 0 && length !== undefined && text.length >= head + 4 + Number(length);
}
