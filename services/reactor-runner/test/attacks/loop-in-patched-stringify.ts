import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: 'replaces what puts values into words by loops',
  target: 'time',
  code: `
    const loop = () => {
      for (;;);
    };
    Object.prototype.toJSON = loop;
    Object.prototype.toString = loop;
    String = loop;
    module.exports = () => ({});`,
  expectation: timesOut,
};
