import { EventEmitter } from 'node:events';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { HeldBytes, freeBytes } from './body-memory.ts';
import { decodeContent } from './decode-content.ts';

const mebibyte = 1024 * 1024;
const encoders: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: zstdCompressSync,
};

describe('a content-encoding', () => {
  const holderOf = (max = 64 * mebibyte) => {
    const response = Object.assign(new EventEmitter(), { closed: false });
    return { response, logFields: { tenantId: 'a' }, held: new HeldBytes(max) };
  };
  const limits = { maxBytes: 10 * mebibyte, maxRatio: 100 };
  const failureOf = async (decoding: Promise<Buffer>): Promise<AppError> => {
    const failure: unknown = await decoding.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(AppError);
    return failure as AppError;
  };
  /** Becomes about ten times as small, as JSON does. */
  const ordinary = Buffer.from(
    JSON.stringify(
      Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `name ${at % 97}`, on: true })),
    ),
  );

  for (const [coding, encode] of Object.entries(encoders)) {
    it(`is undone: ${coding}`, async () => {
      for (const content of [ordinary, Buffer.from('x'), Buffer.alloc(freeBytes)]) {
        const decoded = await decodeContent(encode(content), ` ${coding.toUpperCase()} `, limits, holderOf());
        expect(decoded.equals(content)).to.equal(true);
      }
    });

    it(`is not undone beyond a hundred times what came, and nothing more is held then: ${coding}`, async () => {
      const bomb = encode(Buffer.alloc(9 * mebibyte));
      expect(bomb.length).to.be.lessThan(20_000);
      const holder = holderOf();
      const failure = await failureOf(decodeContent(bomb, coding, limits, holder));
      expect(failure.code).to.equal('too_large');
      expect(failure.message).to.equal(
        'A body with Content-Encoding may become at most 100 times as large when that is undone.',
      );
      expect(holder.held.held).to.be.at.most(Math.max(freeBytes, bomb.length * 100));
    });

    it(`is not undone beyond the limit of the content: ${coding}`, async () => {
      const few = { ...limits, maxBytes: 100_000 };
      const failure = await failureOf(decodeContent(encode(ordinary), coding, few, holderOf()));
      expect(failure).to.include({
        code: 'too_large',
        message: 'A body with Content-Encoding may hold at most 100000 bytes.',
      });
    });

    it(`is counted as the holder's at every step: ${coding}`, async () => {
      const holder = holderOf();
      await decodeContent(encode(ordinary), coding, limits, holder);
      expect(holder.held.held).to.equal(ordinary.length - freeBytes);
      const full = holderOf(ordinary.length);
      expect((await failureOf(decodeContent(encode(ordinary), coding, limits, full))).code).to.equal(
        'rate_limited',
      );
    });

    it(`that is cut off, or none, is a 400: ${coding}`, async () => {
      const whole = encode(ordinary);
      for (const bytes of [whole.subarray(0, -9), Buffer.from('no such thing')]) {
        const failure = await failureOf(decodeContent(bytes, coding, limits, holderOf()));
        expect(failure).to.include({
          code: 'invalid_argument',
          message: 'The body does not fit its Content-Encoding.',
        });
      }
    });
  }

  it('of several, or an unknown one, is a 415', async () => {
    for (const coding of ['gzip, br', 'compress', 'constructor', ''])
      expect((await failureOf(decodeContent(ordinary, coding, limits, holderOf()))).code).to.equal(
        'unsupported_media_type',
      );
  });
});
