/** Host and port of one process. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** Absent where Redis asks for none. */
export interface RedisCredentials {
  readonly username?: string;
  readonly password?: string;
}

/** One server, what sentinels name the primary, or a cluster. Addresses are where to ask for the others. */
export type RedisTarget =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'sentinel';
      readonly tls: boolean;
      readonly credentials: RedisCredentials;
      readonly sentinels: readonly RedisAddress[];
      /** Of the sentinels themselves. */
      readonly sentinelCredentials: RedisCredentials;
      /** Of the primary, among sentinels. */
      readonly name: string;
    }
  | {
      readonly kind: 'cluster';
      readonly tls: boolean;
      readonly credentials: RedisCredentials;
      readonly nodes: readonly RedisAddress[];
    };

/** What is wrong with a URL, as a part of a sentence that repeats nothing of it: it may hold a password. */
export class RedisUrlProblem extends Error {
  override readonly name = 'RedisUrlProblem';
}

const forms =
  'must be redis://host:port, redis-sentinel://host:port,host:port/name or redis-cluster://host:port,host:port, with rediss for TLS';

const several =
  /^(?<tls>rediss?)-(?<kind>sentinel|cluster):\/\/(?:(?<credentials>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

/** @throws RedisUrlProblem */
export function parseRedisUrl(text: string): RedisTarget {
  const parts = several.exec(text)?.groups;
  if (parts === undefined) {
    if (!URL.canParse(text) || !/^rediss?:$/.test(new URL(text).protocol)) throw new RedisUrlProblem(forms);
    return { kind: 'server', url: text };
  }
  const { kind, hosts = '', path = '', query = '' } = parts;
  const shared = {
    tls: parts['tls'] === 'rediss',
    credentials: credentialsIn(parts['credentials'] ?? ''),
  };
  if (kind === 'cluster') {
    if (path !== '' || query !== '')
      throw new RedisUrlProblem(
        'must end after the hosts of the cluster: it has one database and no options',
      );
    return { kind, ...shared, nodes: addressesIn(hosts, usualPort) };
  }
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(path))
    throw new RedisUrlProblem('must name the primary after the sentinels: redis-sentinel://host:port/name');
  return {
    kind: 'sentinel',
    ...shared,
    sentinels: addressesIn(hosts, sentinelPort),
    sentinelCredentials: sentinelCredentials(query),
    name: path,
  };
}

const usualPort = 6379;
const sentinelPort = 26_379;

/** The ports that it names; behind sentinels also the usual one, since they name no other before they are asked. */
export function portsOf(target: RedisTarget): number[] {
  if (target.kind === 'server') return [Number(new URL(target.url).port || usualPort)];
  if (target.kind === 'cluster') return target.nodes.map(({ port }) => port);
  return [usualPort, ...target.sentinels.map(({ port }) => port)];
}

function addressesIn(hosts: string, absentPort: number): RedisAddress[] {
  return hosts.split(',').map((text) => {
    const found = /^(?:\[(?<v6>[0-9A-Fa-f:.]+)\]|(?<host>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/.exec(text);
    const { v6, host = v6, port } = found?.groups ?? {};
    const number = port === undefined ? absentPort : Number(port);
    if (host === undefined || number < 1 || number > 65_535)
      throw new RedisUrlProblem('must list its hosts as host:port,host:port');
    return { host, port: number };
  });
}

function credentialsIn(text: string): RedisCredentials {
  const colon = text.indexOf(':');
  return credentials(
    decoded(colon < 0 ? text : text.slice(0, colon)),
    colon < 0 ? '' : decoded(text.slice(colon + 1)),
  );
}

function sentinelCredentials(query: string): RedisCredentials {
  const options = new URLSearchParams(query);
  const names = [...options.keys()];
  const known = new Set(['sentinel_username', 'sentinel_password']);
  if (names.some((name) => !known.has(name)) || new Set(names).size < names.length)
    throw new RedisUrlProblem('may have the options sentinel_username and sentinel_password alone');
  return credentials(options.get('sentinel_username') ?? '', options.get('sentinel_password') ?? '');
}

function credentials(username: string, password: string): RedisCredentials {
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisUrlProblem('must have a user and password in which % begins two hexadecimal digits');
  }
}
