import { expect } from 'chai';

import { UsageError, readArguments } from './commands.ts';

describe('the arguments of a command', () => {
  const options = { tenant: { type: 'string' }, wait: { type: 'boolean' } } as const;

  it('are its options and as many words as it takes', () => {
    const { values, positionals } = readArguments(['--tenant', 'a', 'NAME', '--wait'], options, 1);
    expect({ ...values }).to.deep.equal({ tenant: 'a', wait: true });
    expect(positionals).to.deep.equal(['NAME']);
  });

  it('are refused when one is unknown, lacks its value, is missing or is one too many', () => {
    for (const args of [['x', '--unknown'], ['x', '--tenant'], ['x', '--wait=1'], [], ['x', 'y']]) {
      expect(() => readArguments(args, options, 1), args.join(' ')).to.throw(UsageError);
    }
  });
});
