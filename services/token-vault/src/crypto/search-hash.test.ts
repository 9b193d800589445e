import { createSecretKey } from 'node:crypto';

import { expect } from 'chai';

import { searchHash } from './search-hash.ts';

const key = createSecretKey(Buffer.alloc(32, 1));

describe('searchHash', () => {
  it('stays what it is: stored indexes depend on every byte of it', () => {
    expect(searchHash(key, '123-45-6789').toString('hex')).to.equal(
      '5e736af70cd6acb17f05008a2813b23b08746e998bae908680141b99e764de6e',
    );
  });

  it('finds a value written in another case or composed in another way', () => {
    expect(searchHash(key, 'Ann.LEE@Example.org')).to.deep.equal(searchHash(key, 'ann.lee@example.org'));
    expect(searchHash(key, 'Jos\u00e9')).to.deep.equal(searchHash(key, 'Jose\u0301'));
  });

  it('differs between values and tenants', () => {
    expect(searchHash(key, '123456789')).not.to.deep.equal(searchHash(key, '123-45-6789'));
    expect(searchHash(createSecretKey(Buffer.alloc(32, 2)), 'a')).not.to.deep.equal(searchHash(key, 'a'));
  });
});
