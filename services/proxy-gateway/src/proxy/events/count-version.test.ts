import { expect } from 'chai';

import type { Exchange } from '../../http/exchange.ts';
import { hasVersionFailed } from './count-version.ts';

const ended = (statusCode: number, errorCode: string | undefined) =>
  hasVersionFailed({ exchange: { logFields: { errorCode }, response: { statusCode } } as Exchange });

/** contract/rollouts.md#figures */
describe('a failure of a version', () => {
  for (const [status, code] of [
    [500, 'unprocessable'],
    [422, 'unprocessable'],
    [502, 'bad_gateway'],
    [502, 'destination_tls'],
    [408, 'deadline_exceeded'],
    [503, 'destination_circuit_open'],
    [200, 'bad_gateway'],
  ] as const) {
    it(`is ${status} ${code}`, () => expect(ended(status, code)).to.equal(true));
  }
  for (const [status, code] of [
    [200, undefined],
    [502, undefined],
    [500, undefined],
    [402, 'unprocessable'],
    [400, 'invalid_argument'],
    [413, 'too_large'],
    [429, 'use_limit'],
    [503, 'unavailable'],
    [499, 'cancelled'],
  ] as const) {
    it(`is not ${status} ${code ?? 'of the destination'}`, () => expect(ended(status, code)).to.equal(false));
  }
});
