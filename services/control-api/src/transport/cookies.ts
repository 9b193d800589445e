import type { IncomingHttpHeaders } from 'node:http';

import type { Response } from 'express';

/** `__Host-`: only this host has set it, over TLS, for all paths (RFC 6265bis, section 4.1.3.2). */
export const sessionCookie = '__Host-glovebox-session';
export const signInCookie = '__Host-glovebox-login';

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** The values of cookies with this name. A browser sends one; a hostile client may send several. */
export function readCookie({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  const values = (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** @param seconds absent: until the browser is closed */
export function setCookie(response: Response, name: string, value: string, seconds?: number): void {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  response.append('Set-Cookie', `${name}=${value}; ${attributes}${age}`);
}

export function clearCookie(response: Response, name: string): void {
  setCookie(response, name, '', 0);
}
