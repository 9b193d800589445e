import { ConfigError } from '@glovebox/platform/env';
import { expect } from 'chai';

import { readConfig } from './config.ts';

const hash = 'ab'.repeat(32);
const complete = {
  DATABASE_URL: 'postgres://u:p@localhost/vault',
  REDIS_URL: 'redis://localhost',
  KEY_FILE: '/keys.json',
  PEERS: `control-api=${hash}, proxy-gateway=${hash}`,
};

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the configuration of the vault', () => {
  it('needs no more than its stores, its keys and its peers', () => {
    const config = readConfig(complete);
    expect(config.peers).to.deep.equal({ 'control-api': hash, 'proxy-gateway': hash });
    expect(config.limits).to.include({ bodyBytes: 2 * 1024 * 1024, tokensPerDetokenize: 100 });
    expect(config.grpc).to.deep.equal({ host: '127.0.0.1', port: 50_051, reflection: true });
  });

  it('offers no reflection in production unless it is asked to', () => {
    const production = { ...complete, NODE_ENV: 'production', GRPC_PLAINTEXT: 'true' };
    expect(readConfig(production).grpc.reflection).to.equal(false);
  });

  it('names everything that is missing at once', () => {
    expect(problemsOf({})).to.include.members([
      'DATABASE_URL is required',
      'REDIS_URL is required',
      'KEY_FILE is required',
      'PEERS is required',
    ]);
  });

  it('refuses peers that are not names with hashes', () => {
    for (const PEERS of [
      'a',
      'a=',
      `a=${hash},`,
      `A=${hash}`,
      `a=${hash.slice(1)}`,
      `a=${hash.toUpperCase()}`,
    ]) {
      expect(problemsOf({ ...complete, PEERS })).to.deep.equal([
        'PEERS must be a list like name=<SHA-256 in hex>,name=<SHA-256 in hex>',
      ]);
    }
  });

  it('refuses limits that would let nothing or everything through', () => {
    expect(
      problemsOf({ ...complete, MAX_BODY_BYTES: '0', MAX_TOKENS_PER_DETOKENIZE: '1001' }),
    ).to.have.length(2);
  });

  it('does not print the passwords that it holds', () => {
    expect(JSON.stringify(readConfig(complete))).not.to.include('u:p');
  });
});
