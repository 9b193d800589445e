import { expect } from 'chai';
import fc from 'fast-check';

import { type Change, changesBetween } from './changes.ts';

/** As RFC 6902 says, for the operations that are used. */
function patched(value: unknown, changes: readonly Change[]): unknown {
  const root = { '': structuredClone(value) } as Record<string, unknown>;
  for (const { op, path, value: given } of changes) {
    const names = ['', ...path.split('/').slice(1)].map((one) =>
      one.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const last = names.pop() as string;
    const parent = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], root);
    if (Array.isArray(parent)) {
      if (op === 'remove') parent.splice(Number(last), 1);
      else parent.splice(Number(last), op === 'add' ? 0 : 1, given);
    } else if (op === 'remove') delete (parent as Record<string, unknown>)[last];
    else (parent as Record<string, unknown>)[last] = given;
  }
  return root[''];
}

describe('the changes between two messages', () => {
  it('are a patch that makes one of the other', () => {
    const name = fc.constantFrom('a', 'b', 'c/d', 'e~f');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.string(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(patched(before, changesBetween(before, after))).to.deep.equal(after);
      }),
    );
  });

  it('are few', () => {
    expect(changesBetween({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] })).to.deep.equal([
      { op: 'replace', path: '/b/1', value: 3 },
    ]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`m${n}`, n]));
    expect(changesBetween({}, many)).to.deep.equal([{ op: 'replace', path: '', value: many }]);
  });
});
