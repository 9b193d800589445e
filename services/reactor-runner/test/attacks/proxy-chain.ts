import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'puts a proxy around a proxy a million times',
  target: 'time',
  code: `
    module.exports = () => {
      let chain = {};
      for (let i = 0; i < 1e6; i += 1) chain = new Proxy(chain, {});
      return chain.value;
    };`,
  expectation: { ends: ['timeout', 'memory', 'crashed'], fails: /^RangeError/ },
};
