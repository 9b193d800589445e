import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws while it is loaded',
  target: 'reader',
  code: `
    throw new RangeError('at load');`,
  expectation: { fails: /^RangeError: at load \(main\.js:2:11\)$/ },
};
