import { expect } from 'chai';

import { namesNoToken } from './names-no-token.ts';

describe('namesNoToken', () => {
  it('says so of configuration, of what was made, and of variables', () => {
    const texts = [
      'config: K',
      "transform_identifier: 'a' | json: '$.id'",
      'res',
      'res | upcase',
      'res|upcase',
      'res.a',
      'res["a"]',
      'proxy.request.body',
    ];
    for (const text of texts) expect(namesNoToken(text), text).to.equal(true);
  });

  it('takes what only looks like a variable for the id of a token, as the vault does', () => {
    for (const text of [
      'proxy .x',
      'res .x',
      'res\t.x',
      'proxy [0]',
      'res\u00a0[0]',
      'proxy-1',
      'res x',
      'id-1',
      'token: id-1',
    ]) {
      expect(namesNoToken(text), text).to.equal(false);
    }
  });
});
