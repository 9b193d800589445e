import { warningAlias, warningHeader, warningList } from '@glovebox/platform/http/warnings';

import { pageHeaders } from './browser-pages.ts';
import { originHeaders } from './cross-origin.ts';
import type { Exchange } from './exchange.ts';
import { valueOf } from './headers/header-list.ts';

/**
 * The headers of every answer: the correlation id (contract/conventions.md#correlation) under every name that counts,
 * the stages, who may read it in a browser, and what a browser may not make of it.
 *
 * @param others headers of the same answer that are somebody else's
 */
export function ownHeaders(exchange: Exchange, others: readonly string[] = []): string[] {
  const { correlationId, aliases, serverTiming, stages, warnings } = exchange;
  const own = ['SVC-TRACE-ID', correlationId];
  if (serverTiming) own.push('Server-Timing', String(stages));
  if (aliases) own.push('BT-TRACE-ID', correlationId);
  // A replayed answer has the warnings that it had.
  if (warnings.texts.length > 0 && valueOf(others, 'svc-warning') === undefined)
    own.push(...warningHeaders(exchange));
  own.push(...originHeaders(exchange, others), ...pageHeaders(exchange));
  return own;
}

function warningHeaders({ warnings, aliases }: Exchange): string[] {
  const list = warningList(warnings.texts) ?? '';
  return aliases ? [warningHeader, list, warningAlias, list] : [warningHeader, list];
}

/** Tells a destination's answer from one of the service's own (contract/errors.md#proxy-errors). */
export function destinationHeaders({ aliases }: Exchange, status: number): string[] {
  const own = ['SVC-PROXY-DESTINATION-STATUS', String(status)];
  if (aliases) own.push('BT-PROXY-DESTINATION-STATUS', String(status));
  return own;
}
