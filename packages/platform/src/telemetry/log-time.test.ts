import { expect } from 'chai';

import { logTime } from './log-time.ts';

describe('logTime', () => {
  it('is the ISO time of any moment, whatever moment was asked for before', () => {
    const start = Date.UTC(2026, 11, 31, 23, 59, 58, 7);
    for (const now of [
      start,
      start + 1,
      start + 992,
      start + 993,
      start + 2000,
      start - 5000,
      start,
      0,
      999,
    ]) {
      expect(logTime(now)).to.equal(`,"time":"${new Date(now).toISOString()}"`);
    }
  });
});
