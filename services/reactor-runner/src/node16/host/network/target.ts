import { isIP } from 'node:net';

import { withoutBrackets } from '@glovebox/egress/host-name';

/** Where a connection is to go, as the policy takes it. */
export interface Target {
  /** `ssh:` only for what identifies itself as such. */
  readonly protocol: 'http:' | 'https:' | 'ssh:';
  /** As the URL parser writes it, without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** Anything by which a host would turn into more than a host. */
const noHost = /[\s\p{Cc}@/?#\\[\]]/u;

/**
 * The host in the one spelling that is checked and dialled: an address in octal, hexadecimal or short form is the
 * address that it is.
 *
 * @returns undefined for text that is not a host.
 */
export function normalisedHost(host: string): string | undefined {
  const family = isIP(host);
  if (noHost.test(host) || (family !== 6 && host.includes(':'))) return undefined;
  const url = URL.parse(`https://${family === 6 ? `[${host}]` : host}/`);
  return url === null ? undefined : withoutBrackets(url.hostname);
}

/** As lists of hosts are compared with it. */
export function placeOf({ hostname, port }: Target): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}
