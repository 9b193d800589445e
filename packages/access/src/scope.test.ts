import { expect } from 'chai';

import { compileScope } from './scope.ts';
import type { Scope, Target } from './scope.ts';

const target: Target = { container: '/pci/high/', tokenId: 'Card-1' };

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
      expect(compileScope(scope)?.(target)).to.equal(expected);
    });
  }

  it('holds no condition on an id that is not known yet', () => {
    expect(compileScope(id('starts_with', ''))?.({ container: '/' })).to.equal(false);
    expect(compileScope(id('equals', 'undefined'))?.({ container: '/' })).to.equal(false);
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
