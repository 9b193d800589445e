import { expect } from 'chai';

import { isWhole } from './turn.ts';

const installation = { id: 'a', lastPublished: 10 };

describe('isWhole', () => {
  const cases: readonly [
    why: string,
    marker: Parameters<typeof isWhole>[0],
    waiting: number,
    whole: boolean,
  ][] = [
    ['no marker', undefined, 0, false],
    ['up to date', { installationId: 'a', lastEntry: 10 }, 0, true],
    ['up to date, with entries to come', { installationId: 'a', lastEntry: 10 }, 5, true],
    ['of another installation', { installationId: 'b', lastEntry: 10 }, 0, false],
    ['behind: Redis lost something', { installationId: 'a', lastEntry: 9 }, 0, false],
    ['ahead by what a killed publisher left', { installationId: 'a', lastEntry: 12 }, 2, true],
    ['ahead of a database that was restored', { installationId: 'a', lastEntry: 12 }, 1, false],
  ];
  for (const [why, marker, waiting, whole] of cases) {
    it(`${why}: ${whole ? 'whole' : 'not whole'}`, () => {
      expect(isWhole(marker, installation, waiting)).to.equal(whole);
    });
  }
});
