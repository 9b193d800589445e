import { createEgressPolicy } from '@glovebox/egress/egress-policy';
import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';
import fc from 'fast-check';

import { callbackOf } from './callback-of.ts';

const strict = createEgressPolicy({ profile: 'strict' });
const of = (body: string) => callbackOf(Buffer.from(body), strict);

describe('the address for a result', () => {
  for (const body of [
    '{"callback_url":"https://a.example/x?y=1"}',
    '{"args":{"callback_url":7},"callbackUrl":"https://a.example/x?y=1"}',
    '{"callback_url":null,"callbackUrl":"https://a.example/x?y=1"}',
    '{"\\u0063allback_url":"https://a.example/x?y=1"}',
  ]) {
    it(`is in ${body}`, () => {
      expect(of(body)).to.equal('https://a.example/x?y=1');
    });
  }

  for (const body of [
    '',
    '{}',
    '[]',
    'null',
    '"callback_url"',
    '{"args":{"callback_url":"https://a.example"}}',
    '{"callback_url":',
  ]) {
    it(`is not in ${body || '(nothing)'}`, () => {
      expect(of(body)).to.equal(undefined);
    });
  }

  it('is refused by its name when it may not be dialled, and is never found by accident', () => {
    for (const url of [
      'http://a.example',
      'https://127.0.0.1',
      'https://localhost',
      'https://redis:6379',
      'https://ledger.internal/x',
      'javascript:1',
      '//a.example',
      ' https://a.example',
    ]) {
      expect(() => of(JSON.stringify({ callback_url: url })), url)
        .to.throw(AppError)
        .with.property('errors');
    }
    fc.assert(
      fc.property(fc.json(), (body) => {
        expect(of(body)).to.equal(undefined);
      }),
    );
  });
});
