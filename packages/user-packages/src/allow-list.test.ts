import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { allowList } from './allow-list.ts';

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};
/** Installed for the bundling itself, or what another package of the list reads. */
const notOffered = new Set(['esbuild', '@tesseract.js-data/eng']);

describe('the list of packages for user code', () => {
  it('names what package.json pins, in the same version, and nothing else', () => {
    const listed = allowList.filter(({ version }) => version !== undefined);
    const pinned = Object.entries(dependencies).filter(
      ([name]) => !notOffered.has(name) && !name.startsWith('@glovebox/'),
    );
    expect(listed.map(({ name, version }) => [name, version])).to.deep.equal(pinned);
  });

  it('says of each what it is there for, and names it once', () => {
    expect(allowList.filter(({ why }) => why === '')).to.deep.equal([]);
    const names = allowList.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(names).to.deep.equal([...new Set(names)]);
  });
});
