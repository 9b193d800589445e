import type { Duplex } from 'node:stream';
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createGunzip,
  createGzip,
  createInflate,
  createZstdCompress,
  createZstdDecompress,
} from 'node:zlib';

/** A content coding (RFC 9110 section 8.4.1). */
export interface ContentCoding {
  readonly decoder: () => Duplex;
  /** Of a stream: what goes in comes out without waiting for more. */
  readonly encoder: () => Duplex;
}

/** What is decoded in one step. */
const decoding = { chunkSize: 65_536 };
const flushing = { flush: constants.Z_SYNC_FLUSH };

const gzip: ContentCoding = { decoder: () => createGunzip(decoding), encoder: () => createGzip(flushing) };

const codings: ReadonlyMap<string, ContentCoding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { decoder: () => createInflate(decoding), encoder: () => createDeflate(flushing) }],
  [
    'br',
    {
      decoder: () => createBrotliDecompress(decoding),
      encoder: () =>
        createBrotliCompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          // The highest, which is the default, takes a hundred times as long.
          params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
        }),
    },
  ],
  [
    'zstd',
    {
      decoder: () => createZstdDecompress(decoding),
      encoder: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
    },
  ],
]);

/** Undefined for codings that are not known, or more than one. @param contentEncoding the value of the header */
export function codingOf(contentEncoding: string): ContentCoding | undefined {
  return codings.get(contentEncoding.trim().toLowerCase());
}
