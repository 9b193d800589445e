import { execFileSync } from 'node:child_process';

import { expect } from 'chai';

import { thresholds } from './compile-sooner.ts';

describe('the thresholds of V8', () => {
  it('are put back to what this version of it begins with', () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    for (const { flag, default: usual } of thresholds)
      expect(options).to.match(new RegExp(`default: ${flag}=${usual}$`, 'm'));
  });
});
