import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'returns a proxy that is revoked',
  target: 'reader',
  code: `
    module.exports = () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    };`,
  expectation: { fails: /revoked/ },
};
