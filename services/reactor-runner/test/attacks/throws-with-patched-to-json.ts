import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws where its error is put into JSON',
  target: 'reader',
  code: `
    Object.prototype.toJSON = () => {
      throw new Error('patched');
    };
    module.exports = () => {
      throw new Error('words');
    };`,
  expectation: { fails: /^Error: words \(main\.js:\d+:\d+\)$/ },
};
