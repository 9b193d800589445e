import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws a symbol',
  target: 'reader',
  code: `
    module.exports = () => {
      throw Symbol('thrown');
    };`,
  expectation: { fails: /^Symbol\(thrown\)$/ },
};
