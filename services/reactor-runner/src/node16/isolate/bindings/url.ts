import type { Scope } from '../scope.ts';

interface UrlContext {
  flags: number;
  scheme: string;
  username: string;
  password: string;
  host: string | null;
  port: number | null;
  path: string[];
  query: string | null;
  fragment: string | null;
}

type OnComplete = (
  flags: number,
  scheme: string,
  username: string,
  password: string,
  host: string | null,
  port: number | null,
  path: string[],
  query: string | null,
  fragment: string | null,
) => void;

/** The parts of a URL by the host's parser: protocol, username, password, hostname, port, pathname, search, hash, href. */
export type UrlParts = [string, string, string, string, string, string, string, string, string];

/** `internalBinding('url')`: the host parses, with the same standard's parser. */
export function urlBinding({ call }: Scope): object {
  const flag = {
    failed: 1,
    cannotBeBase: 2,
    invalidState: 4,
    terminated: 8,
    special: 16,
    username: 32,
    password: 64,
    host: 128,
    path: 256,
    query: 512,
    fragment: 1024,
    defaultPort: 2048,
  };
  const setters = [
    'protocol',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    'host',
    'hostname',
    'port',
    undefined,
    undefined,
    'pathname',
    undefined,
    undefined,
    'search',
    'hash',
  ];
  const special = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:']);

  function hrefOf({
    flags,
    scheme,
    username,
    password,
    host,
    port,
    path,
    query,
    fragment,
  }: UrlContext): string {
    const opaque = (flags & flag.cannotBeBase) !== 0;
    const user =
      username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
    const authority =
      host === null
        ? !opaque && path.length > 1 && path[0] === ''
          ? '/.'
          : ''
        : `//${user}${host}${port === null ? '' : `:${port}`}`;
    const pathname = opaque ? (path[0] ?? '') : path.length === 0 ? '' : `/${path.join('/')}`;
    return (
      scheme +
      authority +
      pathname +
      (query === null ? '' : `?${query}`) +
      (fragment === null ? '' : `#${fragment}`)
    );
  }

  function answer(parts: UrlParts, onComplete: OnComplete): void {
    const [protocol, username, password, hostname, port, pathname, search, hash, href] = parts;
    const isSpecial = special.has(protocol);
    const afterScheme = href.slice(protocol.length);
    const hasHost = afterScheme.startsWith('//');
    const opaque = !hasHost && !afterScheme.startsWith('/');
    const beforeHash =
      hash === '' && href.endsWith('#') ? href.slice(0, -1) : href.slice(0, href.length - hash.length);
    const path = opaque ? [pathname] : pathname === '' ? [] : pathname.slice(1).split('/');
    const query = search === '' ? (beforeHash.endsWith('?') ? '' : null) : search.slice(1);
    const fragment = hash === '' ? (href.endsWith('#') ? '' : null) : hash.slice(1);
    const flags =
      (opaque ? flag.cannotBeBase : 0) |
      (isSpecial ? flag.special : 0) |
      (username === '' ? 0 : flag.username) |
      (password === '' ? 0 : flag.password) |
      (hasHost ? flag.host : 0) |
      (path.length > 0 ? flag.path : 0) |
      (query === null ? 0 : flag.query) |
      (fragment === null ? 0 : flag.fragment) |
      (port === '' ? flag.defaultPort : 0);
    onComplete(
      flags,
      protocol,
      username,
      password,
      hasHost ? hostname : null,
      port === '' ? null : Number(port),
      path,
      query,
      fragment,
    );
  }

  return {
    parse(
      input: string,
      state: number,
      base: UrlContext | null | undefined,
      context: UrlContext | undefined,
      onComplete: OnComplete,
      onError?: (flags: number) => void,
    ) {
      const setter = setters[state - 1];
      const parts =
        setter !== undefined && context !== undefined
          ? call('url.set', hrefOf(context), setter, input)
          : call('url.parse', input, base === null || base === undefined ? undefined : hrefOf(base));
      if (parts !== undefined) answer(parts, onComplete);
      else onError?.(flag.failed);
    },
    encodeAuth: (text: string) => call('url.encodeAuth', text),
    domainToASCII: (domain: string) => call('url.domainToASCII', domain),
    domainToUnicode: (domain: string) => call('url.domainToUnicode', domain),
    setURLConstructor() {},
    URL_FLAGS_NONE: 0,
    URL_FLAGS_FAILED: flag.failed,
    URL_FLAGS_CANNOT_BE_BASE: flag.cannotBeBase,
    URL_FLAGS_INVALID_PARSE_STATE: flag.invalidState,
    URL_FLAGS_TERMINATED: flag.terminated,
    URL_FLAGS_SPECIAL: flag.special,
    URL_FLAGS_HAS_USERNAME: flag.username,
    URL_FLAGS_HAS_PASSWORD: flag.password,
    URL_FLAGS_HAS_HOST: flag.host,
    URL_FLAGS_HAS_PATH: flag.path,
    URL_FLAGS_HAS_QUERY: flag.query,
    URL_FLAGS_HAS_FRAGMENT: flag.fragment,
    URL_FLAGS_IS_DEFAULT_SCHEME_PORT: flag.defaultPort,
    kSchemeStart: 1,
    kHost: 11,
    kHostname: 12,
    kPort: 13,
    kPathStart: 16,
    kQuery: 19,
    kFragment: 20,
  };
}
