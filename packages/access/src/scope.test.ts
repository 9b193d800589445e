import { expect } from 'chai';
import fc from 'fast-check';

import { compileScope, within } from './scope.ts';
import type { Scope, Target } from './scope.ts';

const target: Target = { container: '/pci/high/', tokenId: 'Card-1' };

function holds(scope: Scope, at: Target): boolean | undefined {
  const bounds = compileScope(scope);
  return bounds === null ? undefined : within(bounds, at);
}

describe('compileScope', () => {
  const id = (operator: string, value: string): Scope => ({
    conditions: [{ attribute: 'id', operator, value }],
  });
  const container = (operator: string, value: string): Scope => ({
    conditions: [{ attribute: 'container', operator, value }],
  });

  const cases: readonly (readonly [string, Scope, boolean])[] = [
    ['the same container', { container: '/pci/high/' }, true],
    ['a container above', { container: '/pci/' }, true],
    ['the root', { container: '/' }, true],
    ['a container in another case', { container: '/PCI/' }, true],
    ['a container below', { container: '/pci/high/eu/' }, false],
    ['a container next to it', { container: '/pci/low/' }, false],
    ['a container without conditions', { container: '/pci/', conditions: [] }, true],
    ['an equal id', id('equals', 'Card-1'), true],
    ['an id in another case', id('equals', 'card-1'), false],
    ['the start of the id', id('starts_with', 'Card'), true],
    ['another start of the id', id('starts_with', 'ard'), false],
    ['an equal container condition', container('equals', '/pci/high/'), true],
    ['a container condition in another case', container('equals', '/PCI/HIGH/'), true],
    ['a container condition above', container('equals', '/pci/'), false],
    ['the start of the container', container('starts_with', '/pci/'), true],
    [
      'attribute and operator in upper case',
      { conditions: [{ attribute: 'ID', operator: 'STARTS_WITH', value: 'C' }] },
      true,
    ],
    [
      'two conditions that hold',
      {
        conditions: [
          ...(id('equals', 'Card-1').conditions ?? []),
          ...(container('equals', '/pci/high/').conditions ?? []),
        ],
      },
      true,
    ],
    [
      'two conditions of which one holds',
      {
        conditions: [
          ...(id('equals', 'Card-1').conditions ?? []),
          ...(container('equals', '/').conditions ?? []),
        ],
      },
      false,
    ],
  ];
  for (const [name, scope, expected] of cases) {
    it(`${expected ? 'holds' : 'does not hold'} for ${name}`, () => {
      expect(holds(scope, target)).to.equal(expected);
    });
  }

  const covering: readonly (readonly [string, string, boolean])[] = [
    ['/', '/', true],
    ['/', '/pci/high/', true],
    ['/pci/', '/pci/', true],
    ['/pci/', '/pci/high/', true],
    ['/pci/', '/pci-2/', false],
    ['/pci/', '/pcix/high/', false],
    ['/pci/high/', '/pci/', false],
    ['/high/', '/pci/high/', false],
  ];
  for (const [parent, child, expected] of covering) {
    it(`of ${parent} ${expected ? 'holds' : 'does not hold'} what is in ${child}`, () => {
      expect(holds({ container: parent }, { container: child })).to.equal(expected);
    });
  }

  it('of a container compares whole segments', () => {
    const path = fc
      .array(fc.stringMatching(/^[a-z0-9_-]{1,6}$/), { maxLength: 6 })
      .map((segments) => `/${segments.map((segment) => `${segment}/`).join('')}`);
    const segments = (text: string): string[] => text.split('/').slice(1, -1);
    fc.assert(
      fc.property(path, path, (parent, child) => {
        const wanted = segments(parent).every((text, index) => segments(child)[index] === text);
        expect(holds({ container: parent }, { container: child })).to.equal(wanted);
      }),
    );
  });

  it('holds no condition on an id that is not known yet', () => {
    expect(holds(id('starts_with', ''), { container: '/' })).to.equal(false);
    expect(holds(id('equals', 'undefined'), { container: '/' })).to.equal(false);
  });

  it('holds exactly where every condition does, whatever they are', () => {
    const text = fc.constantFrom('', '/', '/a', '/a/', '/A/b/', '/b/', 'a', 'ab', 'b');
    const condition = fc.record({
      attribute: fc.constantFrom('id', 'container'),
      operator: fc.constantFrom('equals', 'starts_with'),
      value: text,
    });
    const targets = fc.record({
      container: fc.constantFrom('/', '/a/', '/a/b/', '/b/'),
      tokenId: fc.constantFrom('a', 'ab', 'b', '/a/', undefined),
    });
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 5 }), targets, (conditions, at) => {
        const expected = conditions.every((one) => holds({ conditions: [one] }, at));
        expect(holds({ conditions }, at)).to.equal(expected);
      }),
    );
  });

  const unreadable: readonly (readonly [string, Scope])[] = [
    ['nothing', {}],
    ['no conditions', { conditions: [] }],
    ['both container and conditions', { container: '/', ...id('equals', 'a') }],
    ['a container that is none', { container: 'pci' }],
    ['an empty container', { container: '' }],
    ['an unknown attribute', { conditions: [{ attribute: 'type', operator: 'equals', value: 'card' }] }],
    ['an unknown operator', id('matches', '.*')],
  ];
  for (const [name, scope] of unreadable) {
    it(`cannot be made of ${name}`, () => expect(compileScope(scope)).to.equal(null));
  }
});
