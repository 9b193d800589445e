import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps generators that wait',
  target: 'memory',
  code: `
    function* waits() {
      yield new Array(100);
    }
    module.exports = () => {
      const all = [];
      for (;;) {
        const one = waits();
        all.push(one, one.next());
      }
    };`,
  expectation: isStopped,
};
