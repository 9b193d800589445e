import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws what the engine throws when time is over',
  target: 'reader',
  code: `
    module.exports = () => {
      throw new Error('Script execution timed out.');
    };`,
  expectation: { fails: /^Script execution timed out\.|^Error: Script execution timed out\./ },
};
