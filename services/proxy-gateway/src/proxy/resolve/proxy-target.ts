import { AppError } from '@glovebox/platform/errors/app-error';

import type { RequestTarget } from '../../http/exchange.ts';

/** The request target of a proxied request (contract/proxies.md#invocation). */
export interface ProxyTarget {
  /** Raw text after `/proxy`. */
  readonly subPath: string;
  /** Raw query without the proxy key's parameters. */
  readonly query: string;
  readonly proxyKey: string | undefined;
}

const ownParameter = 'svc-proxy-key';
const aliasParameter = 'bt-proxy-key';

/**
 * The proxy key is a credential: it is taken out of the query, which goes on to the destination.
 * @param aliases the name that starts with `bt-` counts too; it is taken out in any case
 */
export function parseProxyTarget({ path, query }: RequestTarget, aliases: boolean): ProxyTarget {
  const subPath = path.slice('/proxy'.length);
  if (query === '') return { subPath, query, proxyKey: undefined };
  const kept: string[] = [];
  let proxyKey: string | undefined;
  for (const parameter of query.split('&')) {
    const equals = parameter.indexOf('=');
    const name = decode(equals < 0 ? parameter : parameter.slice(0, equals));
    if (name !== ownParameter && name !== aliasParameter) {
      kept.push(parameter);
      continue;
    }
    if (name === aliasParameter && !aliases) continue;
    const value = equals < 0 ? '' : decode(parameter.slice(equals + 1));
    if (proxyKey !== undefined && proxyKey !== value) {
      throw new AppError(
        'invalid_argument',
        `The query parameter ${name} was sent twice with different values.`,
      );
    }
    proxyKey = value;
  }
  return { subPath, query: kept.join('&'), proxyKey };
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
