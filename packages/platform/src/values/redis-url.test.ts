import { expect } from 'chai';

import { RedisUrlProblem, parseRedisUrl, portsOf } from './redis-url.ts';

describe('the URL of Redis', () => {
  const refusal = (text: string) => {
    try {
      return `accepted as ${parseRedisUrl(text).kind}`;
    } catch (error) {
      if (error instanceof RedisUrlProblem) return error.message;
      throw error;
    }
  };

  it('names one server', () => {
    for (const url of ['redis://localhost', 'rediss://user:p%40ss@cache.example:6380/2'])
      expect(parseRedisUrl(url)).to.deep.equal({ kind: 'server', url });
  });

  it('names a cluster by some of its nodes', () => {
    expect(parseRedisUrl('redis-cluster://one,two:7001,[::1]:7002')).to.deep.equal({
      kind: 'cluster',
      tls: false,
      credentials: {},
      nodes: [
        { host: 'one', port: 6379 },
        { host: 'two', port: 7001 },
        { host: '::1', port: 7002 },
      ],
    });
    expect(parseRedisUrl('rediss-cluster://us%3Aer:p%40ss:w@one')).to.deep.include({
      tls: true,
      credentials: { username: 'us:er', password: 'p@ss:w' },
    });
  });

  it('names a primary by its sentinels', () => {
    expect(
      parseRedisUrl('redis-sentinel://:secret@one,two:26380/main.primary?sentinel_password=other%26'),
    ).to.deep.equal({
      kind: 'sentinel',
      tls: false,
      credentials: { password: 'secret' },
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
      ],
      name: 'main.primary',
      sentinelCredentials: { password: 'other&' },
    });
  });

  it('says which ports it leads to', () => {
    const ports = (url: string) => portsOf(parseRedisUrl(url));
    expect(ports('redis://one')).to.deep.equal([6379]);
    expect(ports('redis://one:7000')).to.deep.equal([7000]);
    expect(ports('redis-cluster://one:7000,two')).to.deep.equal([7000, 6379]);
    expect(ports('redis-sentinel://one,two:7001/main')).to.deep.equal([6379, 26_379, 7001]);
  });

  it('is refused with a reason that repeats nothing of it', () => {
    const refused: Readonly<Record<string, RegExp>> = {
      'http://s3cret@one': /^must be redis:/,
      'redis-cluster://': /^must be redis:/,
      'redis-cluster://:s3cret@one:70000': /host:port/,
      'redis-cluster://:s3cret@one,,two': /host:port/,
      'redis-cluster://:s3cret@one:7000/1': /one database/,
      'redis-cluster://:s3cret@one?db=1': /no options/,
      'redis-cluster://:s3cret%zz@one': /hexadecimal/,
      'redis-sentinel://:s3cret@one:26379': /name the primary/,
      'redis-sentinel://:s3cret@one/name/1': /name the primary/,
      'redis-sentinel://one/name?sentinel_pasword=s3cret': /alone/,
    };
    for (const [url, reason] of Object.entries(refused)) {
      expect(refusal(url), url).to.match(reason);
      expect(refusal(url)).not.to.contain('s3cret');
    }
  });
});
