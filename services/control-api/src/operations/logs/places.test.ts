import { expect } from 'chai';
import fc from 'fast-check';

import { behind, compare } from '../../audit/log-entry.ts';
import { parseMoment, showMoment } from '../../http/moment.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

describe('places in a log', () => {
  const place = fc.record({
    at: fc.integer({ min: 0, max: 3 }),
    source: fc.constantFrom<'control' | 'vault'>('control', 'vault'),
    id: fc.integer({ min: 1, max: 3 }),
  });

  it('are found again by their cursors, and nothing else is one', () => {
    fc.assert(
      fc.property(place, (one) => expect(decodeCursor(encodeCursor(one))).to.deep.equal(one) !== null),
    );
    fc.assert(
      fc.property(
        fc.string(),
        (text) => decodeCursor(Buffer.from(`${text}.9.x`).toString('base64url')) === undefined,
      ),
    );
  });

  it('go on in each source exactly behind themselves', () => {
    fc.assert(
      fc.property(place, place, (after, other) => {
        const { at, id } = behind(after, other.source);
        const isBehind = other.at < at || (other.at === at && other.id < id);
        expect(isBehind).to.equal(compare(after, other) < 0);
      }),
    );
  });

  it('are at moments that are read as they are shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000_000 }), (micros) => {
        expect(parseMoment(showMoment(micros))).to.equal(micros);
      }),
    );
    const noon = Date.parse('2026-03-01T12:00:00Z') * 1000;
    for (const text of [
      '2026-03-01T12:00:00Z',
      '2026-03-01t12:00:00z',
      '2026-03-01 12:00',
      '2026-03-01T14:00:00+02:00',
      '2026-03-01T14:00:00 02:00',
      '2026-03-01T07:30:00.000-0430',
    ]) {
      expect(parseMoment(text), text).to.equal(noon);
    }
    expect(parseMoment('2026-03-01')).to.equal(noon - 12 * 3_600_000_000);
    for (const text of [
      '',
      'x',
      '2026-02-30',
      '2026-13-01',
      '2026-03-01T25:00Z',
      '1969-12-31',
      '2026-03-01T12:00:00+15:00',
    ]) {
      expect(parseMoment(text), text).to.equal(undefined);
    }
  });
});
