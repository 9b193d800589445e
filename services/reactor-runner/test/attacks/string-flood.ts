import { type Attack, isStopped } from '../attack.ts';

export const attack: Attack = {
  name: 'keeps large strings',
  target: 'memory',
  code: `
    module.exports = () => {
      const all = [];
      for (let i = 0; ; i += 1) all.push(Buffer.alloc(1e6, i).toString('latin1'));
    };`,
  expectation: isStopped,
};
