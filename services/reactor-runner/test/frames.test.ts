import { frameSerializer } from '@glovebox/platform/calls/frame-serializer';
import { ExchangeRequest, type RunnerCall } from '@glovebox/protos/runner/v1/runner';
import { expect } from 'chai';

const call = (bytes: number): RunnerCall => ({
  id: bytes,
  timeoutMs: 1000,
  traceparent: '',
  correlationId: 'ü'.repeat(20),
  clientAddress: undefined,
  operation: {
    $case: 'runFunction',
    value: { tenantId: 'a', code: 'x', argument: Buffer.alloc(bytes, bytes) },
  },
});

describe('frames', () => {
  it('are the same bytes as the generated functions write, whatever was written before', () => {
    const serialize = frameSerializer(ExchangeRequest);
    for (const sizes of [[0], [10, 100_000, 3], [1], [2_000_000], [5, 6]]) {
      const frame = { calls: sizes.map(call), cancelled: [7] };
      expect(serialize(frame).equals(ExchangeRequest.encode(frame).finish())).to.equal(true);
    }
  });

  it('stay as they are while others are written', () => {
    const serialize = frameSerializer(ExchangeRequest);
    const frame = { calls: [call(100)], cancelled: [] };
    const first = serialize(frame);
    serialize({ calls: [call(90)], cancelled: [] });
    expect(ExchangeRequest.decode(first)).to.deep.equal(frame);
  });

  it('hold nothing of a message that could not be written', () => {
    const serialize = frameSerializer(ExchangeRequest);
    serialize({ calls: [call(10)], cancelled: [] });
    const broken = { ...call(10), timeoutMs: -1 };
    expect(() => serialize({ calls: [call(20), broken], cancelled: [] })).to.throw();
    const frame = { calls: [call(30)], cancelled: [] };
    expect(ExchangeRequest.decode(serialize(frame))).to.deep.equal(frame);
  });
});
