import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'imports modules of the host',
  target: 'host',
  code: `
    const names = ['fs', 'node:fs', '/etc/passwd', 'file:///etc/passwd', 'data:text/javascript,export default 1', 'isolated-vm', './main.js', 'https://example.com/x.js'];
    module.exports = async () => {
      const reached = [];
      const loaders = [(name) => import(name), eval('(name) => import(name)'), new Function('name', 'return import(name)')];
      for (const load of loaders) {
        for (const name of names) {
          try {
            await load(name);
            reached.push(name);
          } catch (error) {
            if (!(error instanceof Error)) reached.push(error);
          }
        }
      }
      return reached;
    };`,
  expectation: { returns: [] },
};
