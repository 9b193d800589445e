import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import { expect } from 'chai';

import { invocationEndOf, failureOf } from '../requests/invocation-end.ts';
import { type InvocationDetails, endedEvent, invokedEvent } from './reactor-events.ts';

const secret = 'canary';
const json = Buffer.from(JSON.stringify({ body: secret, headers: { secret } }));

const invocation: InvocationDetails = {
  tenantId: 't',
  reactorId: 'r',
  reactorName: 'name',
  requestId: randomUUID(),
  type: 'async',
  applicationId: 'a',
  correlationId: 'c',
};

describe('the event of a reactor', () => {
  const refused = { status: 402, detail: secret, problems: [{ path: secret, messages: [secret] }] };
  const internal = new AppError('internal', secret, { errors: { error: [secret] } });
  const endings = {
    'an answer': [
      invocationEndOf({ $case: 'answered', value: { json, unselectedPaths: [], leaks: false } }, 5),
      'reactor.completed',
      undefined,
    ],
    'a response': [
      invocationEndOf({ $case: 'responded', value: { status: 302, json, leaks: false } }, 5),
      'reactor.completed',
      undefined,
    ],
    'a failing response': [
      invocationEndOf({ $case: 'responded', value: { status: 599, json, leaks: false } }, 5),
      'reactor.failed',
      'Status 599',
    ],
    'an error of the code’s own': [
      invocationEndOf({ $case: 'refused', value: refused }, 5),
      'reactor.failed',
      'Payment Required',
    ],
    'an error': [
      invocationEndOf({ $case: 'error', value: toWireError(internal) }, 5),
      'reactor.failed',
      'Reactor Runtime Error',
    ],
    'a refusal': [failureOf(new AppError('too_large', secret), 5), 'reactor.failed', 'Payload Too Large'],
    'what nobody foresaw': [failureOf(new TypeError(secret), 5), 'reactor.failed', 'Reactor Runtime Error'],
  } as const;
  for (const [name, [end, type, error]] of Object.entries(endings)) {
    it(`is the status of ${name} in words, and nothing of its text`, () => {
      const event = endedEvent(invocation, end);
      expect(event.type).to.equal(type);
      expect(event.data).to.deep.include({ elapsed_ms: 5, error });
      expect(JSON.stringify(event)).to.not.contain(secret);
    });
  }

  it('has an id of its own for each event, the same whichever runner emits it', () => {
    const end = failureOf(new Error('x'), 1);
    const ids = [invokedEvent(invocation, 1), endedEvent(invocation, end)].map(({ id }) => id);
    expect(new Set(ids).size).to.equal(2);
    for (const id of ids)
      expect(id).to.match(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(invokedEvent({ ...invocation, reactorName: undefined }, 2).id).to.equal(ids[0]);
    expect(invokedEvent({ ...invocation, requestId: randomUUID() }, 1).id).to.not.equal(ids[0]);
  });
});
