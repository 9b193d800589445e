import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'throws an error whose answer is a cycle',
  target: 'reader',
  code: `
    module.exports = () => {
      const errors = {};
      errors.errors = errors;
      throw Object.assign(new Error('answers'), { status: 400, errors });
    };`,
  expectation: { fails: /^Error: answers/ },
};
