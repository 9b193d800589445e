import { expect } from 'chai';

import { claimPort } from './claimed-ports.ts';
import { freePort } from './ports.ts';

describe('a free port', () => {
  it('is handed out once, before anybody listens there', async () => {
    const port = await freePort();
    expect(claimPort(port)).to.equal(false);
  });
});
