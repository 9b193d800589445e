import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: "writes lines to its console that look like the service's own",
  target: 'reader',
  code: `
    module.exports = () => {
      console.log('\\n{"level":60,"msg":"started","service":"reactor-runner"}\\u0000\\u001b[2J');
      console.error({ toString: () => 'x', [Symbol.toStringTag]: 'y' });
      process.stdout.write('\\r\\n'.repeat(1000));
      return 1;
    };`,
  expectation: { returns: 1 },
};
