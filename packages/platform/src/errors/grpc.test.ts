import { Metadata, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import fc from 'fast-check';

import { AppError, errorCodes, validationError } from './app-error.ts';
import { fromGrpcError, fromWireError, toGrpcStatus, toWireError } from './grpc.ts';

describe('errors over gRPC', () => {
  it('brings code, message and field problems of every error across, both as status and in a frame', () => {
    const anyError = fc.record({
      code: fc.constantFrom(...errorCodes),
      message: fc.string({ unit: 'grapheme', maxLength: 100 }),
      errors: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ maxLength: 50 })), {
        maxKeys: 5,
      }),
    });
    fc.assert(
      fc.property(anyError, ({ code, message, errors }) => {
        const sent = new AppError(code, message, { errors });
        for (const received of [fromGrpcError(toGrpcStatus(sent)), fromWireError(toWireError(sent))]) {
          expect({ ...received.errors }).to.deep.equal({ ...errors });
          expect(received).to.include({ code, message });
        }
      }),
    );
  });

  it('keeps the title of a validation error', () => {
    const sent = validationError({ name: ['is required'] });
    expect(fromGrpcError(toGrpcStatus(sent)).title).to.equal(sent.title);
    expect(fromWireError(toWireError(sent)).title).to.equal(sent.title);
  });

  it('tells nothing of an unknown error or of a cause', () => {
    const secret = 'connect to db as admin:hunter2';
    for (const thrown of [
      new Error(secret),
      secret,
      new AppError('conflict', 'taken', { cause: new Error(secret) }),
    ]) {
      const sent = toGrpcStatus(thrown);
      const all = JSON.stringify([
        sent.details,
        String(sent.metadata.get('error-bin')[0]),
        toWireError(thrown),
      ]);
      expect(all).not.to.contain('hunter2');
    }
    expect(toGrpcStatus(new Error(secret)).code).to.equal(status.INTERNAL);
  });

  it('takes a status without an AppError for the transport’s or the peer check’s, never for the application’s', () => {
    const bare = (code: status) => fromGrpcError({ code, details: 'x', metadata: new Metadata() }).code;
    expect(bare(status.UNAVAILABLE)).to.equal('unavailable');
    expect(bare(status.DEADLINE_EXCEEDED)).to.equal('deadline_exceeded');
    expect(bare(status.CANCELLED)).to.equal('unavailable');
    expect(bare(status.UNAUTHENTICATED)).to.equal('internal');
    expect(bare(status.PERMISSION_DENIED)).to.equal('internal');
    expect(bare(status.NOT_FOUND)).to.equal('internal');
  });

  it('survives a hostile error-bin', () => {
    for (const text of [
      '',
      'null',
      '{',
      '[]',
      '{"code":1}',
      '{"code":"not_found","message":"m","errors":{"a":1}}',
    ]) {
      const metadata = new Metadata();
      metadata.set('error-bin', Buffer.from(text));
      expect(fromGrpcError({ code: status.INTERNAL, details: '', metadata })).to.be.instanceOf(AppError);
    }
    expect(fromWireError({ code: 'toString', message: 'm', problems: [] }).code).to.equal('internal');
  });

  it('bounds what it sends: problems beyond 8 KiB are left out, the rest arrives', () => {
    const errors = Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [`items[${i}].id`, ['is required']]),
    );
    const sent = toGrpcStatus(new AppError('invalid_argument', 'x'.repeat(100_000), { errors }));
    expect((sent.metadata.get('error-bin')[0] as Buffer).length).to.be.lessThan(8 * 1024 + 1);
    const received = fromGrpcError(sent);
    expect(received.code).to.equal('invalid_argument');
    expect(Object.keys(received.errors)).to.have.lengthOf.greaterThan(100);
  });

  it('sends a message that is no well-formed Unicode', () => {
    expect(() => encodeURI(toGrpcStatus(new AppError('conflict', 'a\ud800b')).details)).not.to.throw();
  });
});
