import { expect } from 'chai';
import fc from 'fast-check';

import { covers, maxContainerLength, parseContainer } from './container.ts';

const segment = fc.stringMatching(/^[A-Za-z0-9_-]{1,6}$/);
const container = fc
  .array(segment, { maxLength: 6 })
  .map((segments) => `/${segments.map((s) => `${s}/`).join('')}`);

describe('parseContainer', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['/', '/'],
    ['/pci/high/', '/pci/high/'],
    ['/PCI/High/', '/pci/high/'],
    ['/a-b/c_d/0/', '/a-b/c_d/0/'],
    ['/-/', '/-/'],
  ];
  for (const [text, stored] of accepted) {
    it(`stores ${text} as ${stored}`, () => expect(parseContainer(text)).to.equal(stored));
  }

  const refused = [
    '',
    'pci/',
    '/pci',
    '//',
    '/pci//high/',
    '/pci/ /',
    '/pci/./',
    '/pci/%2f/',
    '/pci/\n',
    '/pci/\n/',
    '/pci/high/\n',
    '/pcí/',
    '/\u212Aelvin/',
    '/[/',
    '/^/',
    '/`/',
    '/\\/',
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseContainer(text)).to.equal(null));
  }

  it('accepts up to the longest length and nothing above', () => {
    expect(parseContainer(`/${'a'.repeat(maxContainerLength - 2)}/`)).to.have.lengthOf(maxContainerLength);
    expect(parseContainer(`/${'a'.repeat(maxContainerLength - 1)}/`)).to.equal(null);
    expect(parseContainer(`/${'a/'.repeat(5_000_000)}`)).to.equal(null);
  });

  it('is idempotent, and only changes case', () => {
    fc.assert(
      fc.property(container, (text) => {
        const stored = parseContainer(text);
        expect(stored).to.equal(text.toLowerCase());
        expect(parseContainer(stored ?? '')).to.equal(stored);
      }),
    );
  });
});

describe('covers', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['/', '/', true],
    ['/', '/pci/high/', true],
    ['/pci/', '/pci/', true],
    ['/pci/', '/pci/high/', true],
    ['/pci/', '/pci-2/', false],
    ['/pci/', '/pcix/high/', false],
    ['/pci/high/', '/pci/', false],
    ['/pci/high/', '/pci/', false],
    ['/high/', '/pci/high/', false],
  ];
  for (const [parent, child, expected] of cases) {
    it(`${parent} ${expected ? 'covers' : 'does not cover'} ${child}`, () => {
      expect(covers(parent, child)).to.equal(expected);
    });
  }

  it('compares whole segments', () => {
    const segments = (path: string): string[] => path.split('/').slice(1, -1);
    fc.assert(
      fc.property(container, container, (parent, child) => {
        const wanted = segments(parent).every((text, index) => segments(child)[index] === text);
        expect(covers(parent, child)).to.equal(wanted);
      }),
    );
  });
});
