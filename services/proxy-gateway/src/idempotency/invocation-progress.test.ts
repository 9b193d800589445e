import { EgressConnectFailed, EgressDenied } from '@glovebox/egress/egress-errors';
import { AppError, type ErrorCode } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { ThrownResponse } from '../http/thrown-response.ts';
import { type InvocationProgress, isKnownFailure } from './invocation-progress.ts';

const failed = (code: ErrorCode, cause?: unknown) => new AppError(code, 'failed', { cause });
const alert = Object.assign(new Error('alert'), { code: 'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC' });
const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
const own = new ThrownResponse({ response: { status: 402, headers: [], body: Buffer.alloc(0) } });

describe('a failed invocation may be made again under its key', () => {
  const cases: readonly [
    reached: InvocationProgress['reached'],
    what: string,
    error: unknown,
    known: boolean,
  ][] = [
    ['nothing', 'anything', new Error('a fault'), true],
    ['nothing', 'the vault is away', failed('unavailable'), true],
    ['code', 'the code has thrown', failed('internal'), true],
    ['code', 'the code has answered by itself', own, true],
    ['code', 'an argument is missing', failed('invalid_argument'), true],
    ['code', 'the runner was not heard of again', failed('unavailable'), false],
    ['code', 'the client has gone', failed('cancelled'), false],
    [
      'destination',
      'the address is not allowed',
      failed('bad_gateway', new EgressDenied('deny-loopback', 'localhost')),
      true,
    ],
    [
      'destination',
      'no connection was made',
      failed('bad_gateway', new EgressConnectFailed('tls', 'localhost', new Error('expired'))),
      true,
    ],
    ['destination', 'the connection broke', failed('bad_gateway', reset), false],
    ['destination', 'TLS failed on a connection that stood', failed('bad_gateway', alert), false],
    ['destination', 'there was no answer in time', failed('deadline_exceeded'), false],
    ['destination', 'the response transform has thrown', own, false],
    ['destination', 'a fault of our own', new Error('a fault'), false],
  ];
  for (const [reached, what, error, known] of cases) {
    it(`${known ? 'if' : 'not if'} ${what}, with ${reached} reached`, () => {
      expect(isKnownFailure(reached, error)).to.equal(known);
    });
  }
});
