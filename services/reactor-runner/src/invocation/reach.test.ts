import { expect } from 'chai';

import { reachOf } from './reach.ts';

describe('what the arguments of a reactor reach', () => {
  const published = { tenantById: async () => undefined };
  const hosts = (...patterns: string[]) => ({ allowedDestinations: { patterns } });
  const reactor = { tenantId: 't', ...hosts('own.example:443') };

  it('is what its code may reach, and where its result is sent', async () => {
    expect(await reachOf(published, reactor, {}, undefined)).to.deep.equal({
      destination: '',
      code: ['own.example:443'],
      anywhere: false,
    });
    const reach = await reachOf(published, reactor, {}, 'https://Callback.example/x');
    expect(reach.destination).to.equal('callback.example:443');
  });

  it('is what all code may reach that waits for its result', async () => {
    const invokedBy = { ...hosts('outer.example:443'), invokedBy: hosts('outermost.example:443') };
    expect((await reachOf(published, reactor, { invokedBy }, undefined)).code).to.deep.equal([
      'own.example:443',
      'outer.example:443',
      'outermost.example:443',
    ]);
    const open = { ...hosts(), invokedBy: { allowedDestinations: undefined } };
    expect(await reachOf(published, reactor, { invokedBy: open }, undefined)).to.include({ anywhere: true });
  });
});
