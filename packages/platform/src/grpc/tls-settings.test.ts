import { expect } from 'chai';

import type { ConfigError } from '../settings/config-error.ts';
import { readSettings } from '../settings/read-settings.ts';
import { grpcTls } from './tls-settings.ts';

const files = { GRPC_TLS_CA_FILE: '/tls/ca', GRPC_TLS_CERT_FILE: '/tls/cert', GRPC_TLS_KEY_FILE: '/tls/key' };

/** What is read, or the problems. */
function read(env: Record<string, string>) {
  try {
    return readSettings({ grpcTls }, env).grpcTls;
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('the settings for mutual TLS', () => {
  it('are three files, with identities of our own trust domain unless another is named', () => {
    const expected = { caFile: '/tls/ca', certFile: '/tls/cert', keyFile: '/tls/key' };
    const identityPrefix = 'spiffe://cluster.local/ns/glovebox/sa/';
    expect(read(files)).to.deep.equal({ ...expected, identityPrefix: 'spiffe://glovebox/' });
    expect(read({ ...files, GRPC_TLS_IDENTITY_PREFIX: identityPrefix })).to.deep.equal({
      ...expected,
      identityPrefix,
    });
  });

  it('may be absent outside of production, and in it only if that is asked for', () => {
    expect(read({})).to.equal(undefined);
    expect(read({ NODE_ENV: 'test' })).to.equal(undefined);
    expect(read({ NODE_ENV: 'production', GRPC_PLAINTEXT: 'true' })).to.equal(undefined);
    expect(read({ NODE_ENV: 'production' })).to.match(/required where NODE_ENV is production/);
  });

  it('are refused when they are half, contradict each other, or let anyone in', () => {
    for (const name of Object.keys(files)) {
      expect(read({ ...files, [name]: '' }), name).to.match(/all three or none/);
    }
    expect(read({ ...files, GRPC_PLAINTEXT: 'true' })).to.match(/cannot be true beside certificates/);
    for (const prefix of ['spiffe://', 'spiffe://glovebox', 'https://glovebox/', 'spiffe:///x/']) {
      expect(read({ ...files, GRPC_TLS_IDENTITY_PREFIX: prefix }), prefix).to.match(/must be like spiffe/);
    }
  });
});
