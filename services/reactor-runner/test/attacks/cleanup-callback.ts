import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'loops when its garbage is collected',
  target: 'time',
  code: `
    const registry = new FinalizationRegistry(() => {
      for (;;);
    });
    module.exports = async () => {
      for (let i = 0; i < 1000; i += 1) registry.register({ held: new Array(100) }, i);
      for (let i = 0; i < 50; i += 1) new Array(1e5).fill(i);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return 1;
    };`,
  expectation: { returns: 1 },
};
