import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "looks for what another tenant's code has left behind",
  target: 'host',
  code: `
    globalThis.stolen = 'stolen';
    Object.prototype.polluted = 'polluted';
    module.exports = () => {
      delete Object.prototype.polluted;
      delete globalThis.stolen;
      return [typeof shared, typeof {}.polluted];
    };`,
  expectation: { returns: ['undefined', 'undefined'] },
};
