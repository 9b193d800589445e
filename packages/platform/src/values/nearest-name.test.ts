import { expect } from 'chai';

import { nearestName } from './nearest-name.ts';

describe('the nearest name', () => {
  const known = ['name', 'destination_url', 'request_transform', 'response_transform', 'require_auth'];

  for (const [mistaken, meant] of [
    ['request_tranform', 'request_transform'],
    ['requestTransform', 'request_transform'],
    ['respones_transform', 'response_transform'],
    ['Name', 'name'],
    ['nmae', 'name'],
    ['destination-url', 'destination_url'],
    ['require_authentication', undefined],
    ['configuration', undefined],
    ['x', undefined],
    ['', undefined],
  ] as const) {
    it(`of ${mistaken || 'nothing'} is ${meant ?? 'none'}`, () => {
      expect(nearestName(mistaken, known)).to.equal(meant);
    });
  }

  it('is the nearest of several, and the first of equally near ones', () => {
    expect(nearestName('last3', ['last8', 'last4', 'last34'])).to.equal('last8');
    expect(nearestName('reques_transform', known)).to.equal('request_transform');
  });

  it('of a text that nobody would read is none, and takes no time', () => {
    const long = 'a'.repeat(1_000_000);
    expect(nearestName(long, [long])).to.equal(undefined);
    expect(nearestName('a', [long])).to.equal(undefined);
  });
});
