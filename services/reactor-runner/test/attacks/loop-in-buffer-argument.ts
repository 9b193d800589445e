import { type Attack, timesOut } from '../attack.ts';

export const attack: Attack = {
  name: "loops where the host's work is given its argument",
  target: 'time',
  code: `
    const { createHash } = require('crypto');
    module.exports = () => createHash('sha256').update(new Proxy(new Uint8Array(8), {
      get() {
        for (;;);
      },
    }));`,
  expectation: timesOut,
};
