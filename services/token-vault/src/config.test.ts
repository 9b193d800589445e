import { ConfigError } from '@glovebox/platform/settings/config-error';
import { expect } from 'chai';

import { readConfig } from './config.ts';

const hash = 'ab'.repeat(32);
const complete = {
  DATABASE_URL: 'postgres://u:p@localhost/vault',
  REDIS_URL: 'redis://localhost',
  PUBLICATION_PUBLIC_KEYS: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
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

  it('takes its keys from a key service, named whole, and from no file then', () => {
    const { KEY_FILE: _, ...others } = complete;
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
    const kms = readConfig({ ...others, KEY_PROVIDER: 'aws-kms', AWS_KMS_KEY_ID: arn }).keys;
    expect(kms.service).to.include({ kind: 'aws-kms', keyId: arn, region: 'eu-central-1', timeoutMs: 3000 });
    expect(kms.keyFile).to.equal(undefined);
    const short = {
      ...others,
      KEY_PROVIDER: 'aws-kms',
      AWS_KMS_KEY_ID: 'mrk-1234abcd12ab34cd56ef1234567890ab',
    };
    expect(problemsOf(short)).to.deep.equal(['AWS_REGION is required where AWS_KMS_KEY_ID is not an ARN']);
    const alias = { ...short, AWS_REGION: 'eu-central-1', AWS_KMS_KEY_ID: 'alias/glovebox' };
    expect(problemsOf(alias)).to.deep.equal([
      'AWS_KMS_KEY_ID must be the ARN or the id of a key; an alias will not do',
    ]);
    expect(problemsOf({ ...others, KEY_PROVIDER: 'transit', TRANSIT_MOUNT: '/x' })).to.deep.equal([
      'TRANSIT_KEY is required',
      'TRANSIT_MOUNT must be a path such as transit, without slashes at its ends',
      'TRANSIT_ADDRESS is required',
      'TRANSIT_TOKEN_FILE is required',
    ]);
    const plain = { TRANSIT_ADDRESS: 'http://vault:8200', TRANSIT_KEY: 'k', TRANSIT_TOKEN_FILE: '/token' };
    const production = { NODE_ENV: 'production', GRPC_PLAINTEXT: 'true' };
    expect(problemsOf({ ...others, ...plain, ...production, KEY_PROVIDER: 'transit' })).to.deep.equal([
      'TRANSIT_ADDRESS must be a URL that starts with https://',
    ]);
  });

  it('takes two hashes of one peer, while its token is replaced', () => {
    const other = 'b'.repeat(64);
    const PEERS = `proxy-gateway=${hash},control-api=${hash},proxy-gateway=${other}`;
    expect(readConfig({ ...complete, PEERS }).peers).to.deep.equal({
      'proxy-gateway': [hash, other],
      'control-api': hash,
    });
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
