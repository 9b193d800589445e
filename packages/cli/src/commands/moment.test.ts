import { expect } from 'chai';

import { UsageError } from '../terminal/cli-error.ts';
import { momentOf } from './moment.ts';

describe('a moment on the command line', () => {
  it('is a time, or how long ago it was', () => {
    expect(momentOf('since', undefined)).to.equal(undefined);
    expect(momentOf('since', '2026-01-31T12:00:00Z')).to.equal('2026-01-31T12:00:00Z');
    for (const [text, minutes] of [
      ['30m', 30],
      ['2h', 120],
      ['7d', 10_080],
    ] as const) {
      const before = Date.now();
      const moment = Date.parse(momentOf('since', text) ?? '') + minutes * 60_000;
      expect(moment, text).to.be.within(before, Date.now());
    }
  });

  it('is refused when it is neither, before anything is sent', () => {
    for (const text of ['', 'yesterday-ish', '1w', '-1h', '9999999d'])
      expect(() => momentOf('since', text), text).to.throw(UsageError, '--since is such as');
  });
});
