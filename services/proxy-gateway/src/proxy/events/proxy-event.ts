import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import type { EventBody } from '@glovebox/published/webhook-events';

import type { Exchange } from '../../http/exchange.ts';
import type { InvokedProxy } from './invoked-proxy.ts';

/**
 * What webhooks are told of an invocation (docs/adr/0036): what anybody may read. Paths, queries, values of headers and
 * bodies may hold what came out of tokens, or was to go into them.
 */
export function proxyEvent(exchange: Exchange, invoked: InvokedProxy, now = new Date()): EventBody {
  const { notes, response, correlationId } = exchange;
  const { proxy, transforming } = invoked;
  // Code may answer by itself, with success as well.
  const failed = notes.errorCode !== undefined && (response.statusCode >= 400 || !response.writableEnded);
  const error = failed ? failureOf(response.statusCode) : undefined;
  const elapsed_ms = Math.round(performance.now() - exchange.startedAt);
  const ending = { status: response.statusCode, error, elapsed_ms };
  const known =
    proxy.id === '' ? { type: 'ephemeral' } : { id: proxy.id, name: proxy.name, type: 'pre_configured' };
  return {
    id: randomUUID(),
    type: 'proxy.invoked',
    timestamp: now.toISOString(),
    tenant_id: proxy.tenantId,
    trace_id: correlationId,
    data: {
      proxy: { ...known, response: ending },
      destination: destinationOf(exchange, invoked),
      ...(failed && transforming !== undefined && { [`${transforming}_transform`]: { response: { error } } }),
      actor: notes.applicationId === undefined ? undefined : { id: notes.applicationId, type: 'application' },
    },
  };
}

/** A status that tells of success is that of an answer that had begun. */
function failureOf(status: number): string {
  return status < 400 ? 'Broken Off' : (STATUS_CODES[status] ?? `Status ${status}`);
}

function destinationOf(
  { request, notes, stages }: Exchange,
  { destination: url }: InvokedProxy,
): object | undefined {
  if (url === undefined) return undefined;
  const { destinationStatus: status } = notes;
  return {
    request: { method: request.method, url, headers: headerNames(request.rawHeaders) },
    response:
      status === undefined ? undefined : { status, elapsed_ms: Math.round(stages.spent('destination')) },
  };
}

const mostNames = 50;

/** As the client has sent them, without the service's own and without any that could be a number. */
function headerNames(rawHeaders: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (let i = 0; i < rawHeaders.length && names.size < mostNames; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    if (/^[a-z-]{1,40}$/.test(name) && !/^(svc|bt)-/.test(name)) names.add(name);
  }
  return [...names].toSorted();
}
