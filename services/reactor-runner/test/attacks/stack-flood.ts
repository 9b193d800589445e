import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps errors with endless stacks',
  target: 'memory',
  code: `
    Error.stackTraceLimit = Infinity;
    module.exports = () => {
      const all = [];
      const f = (depth) => {
        all.push(new Error('deep'));
        if (depth > 0) f(depth - 1);
      };
      for (;;) f(1000);
    };`,
  expectation: isStopped,
};
