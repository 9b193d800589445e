import { expect } from 'chai';
import fc from 'fast-check';

import { parseExpiresAt } from './expires-at.ts';

const good: readonly (readonly [given: string, text: string, utc: string])[] = [
  ['2030-04-23T17:24:28-04:00', '2030-04-23T17:24:28-04:00', '2030-04-23T21:24:28.000Z'],
  ['2030-04-23T17:24:28+05:30', '2030-04-23T17:24:28+05:30', '2030-04-23T11:54:28.000Z'],
  ['2030-04-23T17:24:28Z', '2030-04-23T17:24:28Z', '2030-04-23T17:24:28.000Z'],
  ['2030-04-23T17:24:28', '2030-04-23T17:24:28Z', '2030-04-23T17:24:28.000Z'],
  ['2030-04-23T17:24', '2030-04-23T17:24:00Z', '2030-04-23T17:24:00.000Z'],
  ['2030-04-23T17:24:28.7334616+00:00', '2030-04-23T17:24:28.7334616+00:00', '2030-04-23T17:24:28.733Z'],
  ['2030-04-23T17:24:28.500Z', '2030-04-23T17:24:28.5Z', '2030-04-23T17:24:28.500Z'],
  ['2030-04-23T17:24:28.000Z', '2030-04-23T17:24:28Z', '2030-04-23T17:24:28.000Z'],
  ['2030-04-23 17:24:28+0200', '2030-04-23T17:24:28+02:00', '2030-04-23T15:24:28.000Z'],
  ['2030-04-23', '2030-04-23T00:00:00Z', '2030-04-23T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['8/26/2030 7:23:57 PM -07:00', '2030-08-26T19:23:57-07:00', '2030-08-27T02:23:57.000Z'],
  ['08/26/2030 07:23:57 am +01:00', '2030-08-26T07:23:57+01:00', '2030-08-26T06:23:57.000Z'],
  ['8/26/2030 12:00:00 AM', '2030-08-26T00:00:00Z', '2030-08-26T00:00:00.000Z'],
  ['8/26/2030 12:00 PM', '2030-08-26T12:00:00Z', '2030-08-26T12:00:00.000Z'],
  ['9/27/2030', '2030-09-27T00:00:00Z', '2030-09-27T00:00:00.000Z'],
  ['9999-12-31T23:59:59+14:00', '9999-12-31T23:59:59+14:00', '9999-12-31T09:59:59.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
];

const bad: readonly string[] = [
  '',
  'tomorrow',
  '2030',
  '2030-04',
  '2030-02-30',
  '2027-02-29',
  '2030-13-01',
  '2030-00-01',
  '2030-01-00',
  '0050-01-01',
  '2030-04-23T24:00:00Z',
  '2030-04-23T17:60:00Z',
  '2030-04-23T17:24:60Z',
  '2030-04-23T17:24:28.12345678Z',
  '2030-04-23T17:24:28+15:00',
  '2030-04-23T17:24:28+05:75',
  '9999-12-31T23:59:59-14:00',
  '2030-04-23T17:24:28 GMT',
  '2030-04-23T',
  '2030-04-23Z',
  '26/8/2030',
  '8/26/30',
  '8/26/2030 19:23:57 PM',
  '8/26/2030 0:23:57 AM',
  '8/26/2030 7:23:57',
  '1893456000',
  ' 2030-04-23',
  '2030-04-23\n',
  `2030-04-23T17:24:28${' '.repeat(30)}Z`,
  '٢٠٣٠-٠٤-٢٣',
];

describe('parseExpiresAt', () => {
  for (const [given, text, utc] of good) {
    it(`reads ${given}`, () => {
      const expiresAt = parseExpiresAt(given);
      expect(expiresAt?.text).to.equal(text);
      expect(new Date(expiresAt?.epochMs ?? 0).toISOString()).to.equal(utc);
    });
  }

  for (const given of bad) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      expect(parseExpiresAt(given)).to.equal(null);
    });
  }

  it('shows a time that reads as the same time again', () => {
    const times = fc.date({ min: new Date('1990-01-01'), max: new Date('9990-01-01'), noInvalidDate: true });
    const offsets = fc.integer({ min: -14 * 4, max: 14 * 4 });
    fc.assert(
      fc.property(times, offsets, (time, quarters) => {
        const local = new Date(time.getTime() + quarters * 900_000).toISOString().slice(0, -1);
        const minutes = Math.abs(quarters) * 15;
        const clock = [Math.floor(minutes / 60), minutes % 60]
          .map((n) => String(n).padStart(2, '0'))
          .join(':');
        const first = parseExpiresAt(`${local}${quarters < 0 ? '-' : '+'}${clock}`);
        expect(first?.epochMs).to.equal(time.getTime());
        expect(parseExpiresAt(first?.text ?? '')).to.deep.equal(first);
      }),
    );
  });
});
