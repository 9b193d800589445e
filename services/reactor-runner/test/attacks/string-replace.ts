import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces in a text that grows',
  target: 'time',
  code: `
    module.exports = () => {
      let text = 'aa';
      for (;;) text = text.replace(/a/g, '$&$&');
    };`,
  expectation: isStopped,
};
