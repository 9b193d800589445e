import { AppError } from '@glovebox/platform/errors/app-error';

import type { ServiceHeaders } from '../../http/headers/service-headers.ts';

/**
 * The Connection header towards the destination, as far as a caller may have a say in it: that the connection ends
 * with the request. Anything else would name headers for the next hop to take out (RFC 9110, 7.6.1), or change the
 * protocol. A connection that stays is shared, so that nobody's Keep-Alive parameters are sent on it.
 * @throws AppError `invalid_argument`
 */
export function connectionHeader({ proxyConnection }: ServiceHeaders): readonly string[] {
  switch (proxyConnection?.trim().toLowerCase()) {
    case undefined:
    case 'keep-alive':
      return [];
    case 'close':
      return ['Connection', 'close'];
    default:
      throw new AppError('invalid_argument', 'The header SVC-PROXY-CONNECTION must be close or keep-alive.', {
        title: 'Invalid proxy request',
      });
  }
}
