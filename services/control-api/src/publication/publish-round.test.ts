import { expect } from 'chai';

import { isWhole, looksWhole } from './publish-round.ts';

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

describe('looksWhole', () => {
  const marker = (lastEntry: number, installationId = 'ours') => ({ installationId, lastEntry });
  const installation = { id: 'ours', lastPublished: 10 };

  it('does not mind what is published while it looks', () => {
    expect(looksWhole({ before: marker(9), after: marker(10) }, installation, 0)).to.equal(true);
    expect(looksWhole({ before: marker(10), after: marker(12) }, installation, 0)).to.equal(true);
    expect(looksWhole({ before: marker(11), after: marker(11) }, installation, 1)).to.equal(true);
  });

  it('sees a projection that is gone, somebody else’s, behind, or further than what waits explains', () => {
    expect(looksWhole({ before: marker(10), after: undefined }, installation, 0)).to.equal(false);
    expect(looksWhole({ before: marker(10), after: marker(10, 'theirs') }, installation, 0)).to.equal(false);
    expect(looksWhole({ before: marker(9), after: marker(9) }, installation, 0)).to.equal(false);
    expect(looksWhole({ before: marker(12), after: marker(12) }, installation, 1)).to.equal(false);
  });
});
