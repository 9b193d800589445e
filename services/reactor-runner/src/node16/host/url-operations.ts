import { domainToASCII, domainToUnicode } from 'node:url';

import { type Operations, oneOf, text } from './arguments.ts';

const setters = ['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const;

/** The same standard's parser. A URL crosses as its parts. */
export const urlOperations: Operations = {
  'url.parse': (input, base) => partsOf(URL.parse(text(input), base === undefined ? undefined : text(base))),
  'url.set'(href, property, value) {
    const url = URL.parse(text(href));
    if (url !== null) url[oneOf(property, setters)] = text(value);
    return partsOf(url);
  },
  'url.encodeAuth'(input) {
    const url = new URL('http://host');
    url.username = text(input);
    return url.username;
  },
  'url.domainToASCII': (domain) => domainToASCII(text(domain)),
  'url.domainToUnicode': (domain) => domainToUnicode(text(domain)),
};

function partsOf(url: URL | null): string[] | undefined {
  if (url === null) return undefined;
  const { protocol, username, password, hostname, port, pathname, search, hash, href } = url;
  return [protocol, username, password, hostname, port, pathname, search, hash, href];
}
