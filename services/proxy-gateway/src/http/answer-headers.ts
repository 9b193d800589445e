import type { Exchange } from './exchange.ts';

/** What every answer says of its request: the correlation id (api-facts section 1.8), under every name that counts, and its stages. */
export function ownHeaders({ correlationId, aliases, tellsTiming, stages }: Exchange): string[] {
  const own = ['SVC-TRACE-ID', correlationId];
  if (tellsTiming) own.push('Server-Timing', String(stages));
  if (aliases) own.push('BT-TRACE-ID', correlationId);
  return own;
}

/** Tells a destination's answer from one of the service's own (api-facts section 5.7). */
export function destinationHeaders({ aliases }: Exchange, status: number): string[] {
  const own = ['SVC-PROXY-DESTINATION-STATUS', String(status)];
  if (aliases) own.push('BT-PROXY-DESTINATION-STATUS', String(status));
  return own;
}
