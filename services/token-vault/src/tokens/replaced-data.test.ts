import { expect } from 'chai';
import fc from 'fast-check';

import type { JsonValue } from '../values/json-value.ts';
import { mergePatch } from './merge-patch.ts';
import { replacesAll, replacesAt } from './replaced-data.ts';

/** Few names, so that data and patches meet in them. */
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(1, 'text', null, true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'size'), tie('value'), { maxKeys: 3 }),
  ),
}));

const at = (data: JsonValue, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.hasOwn(inner, name)
        ? inner[name]
        : undefined,
    data,
  );

describe('what a merge patch replaces', () => {
  it('is the same whatever was there before', () => {
    const path = fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 });
    fc.assert(
      fc.property(value, value, path, (current, patch, steps) => {
        if (!replacesAt(current, patch, steps)) return;
        const merged = at(mergePatch(current, patch), steps);
        expect(merged).to.deep.equal(at(mergePatch(null, patch), steps));
      }),
      { numRuns: 2000 },
    );
  });

  it('is everything only if nothing is left', () => {
    fc.assert(
      fc.property(value, value, (current, patch) => {
        const isLeft = !replacesAll(current, patch);
        const merged = mergePatch(current, patch);
        if (!isLeft) expect(merged).to.deep.equal(mergePatch(null, patch));
      }),
      { numRuns: 2000 },
    );
    expect(replacesAll({ a: 1, b: 2 }, { a: 1 })).to.equal(false);
    expect(replacesAll({ a: { b: 1, c: 2 } }, { a: { b: 1 } })).to.equal(false);
    expect(replacesAll({ a: { b: 1 } }, { a: { b: null }, d: 1 })).to.equal(true);
    expect(replacesAll('text', { a: 1 })).to.equal(true);
  });

  it('does not count members that the patch does not name', () => {
    expect(replacesAt({ a: 1 }, { size: null }, ['size'])).to.equal(false);
    expect(replacesAt({ a: 1 }, { size: 5 }, ['size'])).to.equal(true);
    expect(replacesAt({ a: 1 }, { a: 5 }, ['b'])).to.equal(false);
  });
});
