import { expect } from 'chai';

import { sign } from './sign.ts';

describe('the signature of a delivery', () => {
  it('is that of Standard Webhooks, whose own example this is', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signed = sign(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}');
    expect(signed).to.equal('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is another one for each of what is signed', () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
    const signatures = [
      sign(secret, 'a', '1', '{}'),
      sign(other, 'a', '1', '{}'),
      sign(secret, 'b', '1', '{}'),
      sign(secret, 'a', '2', '{}'),
      sign(secret, 'a', '1', '{ }'),
    ];
    expect(new Set(signatures).size).to.equal(signatures.length);
  });
});
