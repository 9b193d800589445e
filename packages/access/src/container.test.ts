import { expect } from 'chai';
import fc from 'fast-check';

import { defaultAccessLimits } from './access-limits.ts';
import { parseContainer } from './container.ts';

const { containerLength: maxContainerLength } = defaultAccessLimits;

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
