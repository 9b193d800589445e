import { globSync } from 'node:fs';

import { expect } from 'chai';

import { groups } from '../groups.ts';

/** These need the images, and run by their name only (deploy/k8s). */
const ofImages = /^deploy\/k8s\/smoke\//;

describe('the groups of test files', () => {
  it('hold every test file of the workspace once', () => {
    const exclude = ['**/node_modules/**', '**/dist/**'];
    const all = globSync('{packages,services,deploy,test,protos,bench}/**/*.test.ts', { exclude });
    const grouped = groups.flatMap((patterns) => [...new Set(globSync(patterns))]);
    expect(grouped.toSorted()).to.deep.equal(all.filter((file) => !ofImages.test(file)).toSorted());
  });
});
