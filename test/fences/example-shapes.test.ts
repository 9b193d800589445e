import { expect } from 'chai';

import { shapeDifferences } from '../harness/examples/shape.ts';

describe('the shape of an example', () => {
  const shown = { id: 'a', at: 1, list: [{ x: 1 }], map: { own: 1 } };

  it('is that of other values of the same types', () => {
    expect(
      shapeDifferences(shown, { id: 'b', at: 2, list: [{ y: 1 }, 'x', { x: 2 }], map: { own: 2 } }),
    ).to.deep.equal([]);
  });

  it('is not that of another type, a missing or an additional member', () => {
    expect(shapeDifferences(shown, { id: null, list: [{ y: 1 }], map: {}, more: 1 })).to.deep.equal([
      'id is null, and shown as string',
      'at is shown, and not answered',
      'list[0].x is shown, and not answered',
      'list[0].y is answered, and not shown',
      'map.own is shown, and not answered',
      'more is answered, and not shown',
    ]);
    expect(shapeDifferences(shown.list, [])).to.deep.equal(['[0] is shown, and nothing answered']);
  });

  it('leaves the members of a free object open', () => {
    expect(shapeDifferences({ map: { own: 1 } }, { map: { vault: 2 } }, new Set(['map']))).to.deep.equal([]);
    expect(shapeDifferences({ map: { own: 1 } }, { map: 2 }, new Set(['map']))).to.have.length(1);
  });
});
