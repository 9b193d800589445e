import { wireSize } from '@glovebox/platform/calls/wire-size';
import { ExchangeRequest, type RunnerCall } from '@glovebox/protos/runner/v1/runner';
import { expect } from 'chai';

type Operation = NonNullable<RunnerCall['operation']>;

const bytes = Buffer.alloc(100_000, 'a');
const key = 'k'.repeat(80);
const id = 'i'.repeat(36);

const transform = {
  proxyKeyHash: 'h'.repeat(64),
  proxyVersion: 2 ** 50,
  side: 1 as const,
  args: bytes,
  anonymous: true,
  message: { contentType: 'c'.repeat(1000), hasBody: true, maxHeaderBytes: 2 ** 31, status: 599 },
};

/** Each with as much as it may carry. */
const operations: { readonly [Case in Operation['$case']]: Extract<Operation, { $case: Case }>['value'] } = {
  runFunction: { tenantId: id, code: '€'.repeat(10_000), argument: bytes },
  runTransform: transform,
  runReactor: { reactorId: id, apiKey: key, body: bytes },
  reactAsync: { reactorId: id, apiKey: key, body: bytes },
  getReactorResult: { reactorId: id, requestId: id, apiKey: key },
  dryRunTransform: { transform },
  shadowTransform: { transform },
  dryRunReactor: { reactor: { reactorId: id, apiKey: key, body: bytes } },
  listInvocations: { owner: { $case: 'proxyId', value: id }, apiKey: key, size: 100 },
};

describe('what a call of the runner counts for', () => {
  for (const [$case, value] of Object.entries(operations)) {
    it(`is no less than what it takes in a frame: ${$case}`, () => {
      const operation = { $case, value } as Operation;
      const call = {
        id: 2 ** 32 - 1,
        timeoutMs: 2 ** 32 - 1,
        traceparent: 't'.repeat(55),
        correlationId: 'c'.repeat(36),
        operation,
      };
      const frame = ExchangeRequest.encode({ calls: [call], cancelled: [] }).finish();
      expect(wireSize(call)).to.be.at.least(frame.length);
    });
  }
});
