import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import type { ProxyRecord } from '@glovebox/published/records';
import type { Actor, EventBody } from '@glovebox/published/webhook-events';

import type { Exchange } from '../../http/exchange.ts';
import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';

/**
 * The webhook event of an invocation (docs/adr/0036), with only what anybody may read. Paths, queries, values of
 * headers and bodies may hold values of tokens, or those that will be tokens.
 */
export function proxyEvent(invocation: ProxyInvocation, now = new Date()): EventBody {
  const { exchange, proxy, transforming } = invocation;
  const { logFields, response, correlationId } = exchange;
  // Code may answer by itself, with success as well.
  const failed = logFields.errorCode !== undefined && (response.statusCode >= 400 || !response.writableEnded);
  const error = failed ? failureOf(response.statusCode) : undefined;
  const elapsed_ms = Math.round(performance.now() - exchange.startedAt);
  const ending = { status: response.statusCode, error, elapsed_ms };
  return {
    id: randomUUID(),
    type: 'proxy.invoked',
    timestamp: now.toISOString(),
    tenant_id: proxy.tenantId,
    trace_id: correlationId,
    data: {
      proxy: { ...namedProxy(proxy), response: ending },
      destination: destinationOf(invocation),
      ...(failed && transforming !== undefined && { [`${transforming}_transform`]: { response: { error } } }),
      actor: actorOf(exchange),
    },
  };
}

export function namedProxy({ id, name }: Pick<ProxyRecord, 'id' | 'name'>): object {
  return id === '' ? { type: 'ephemeral' } : { id, name, type: 'pre_configured' };
}

/** Undefined for an anonymous caller. */
export function actorOf({ logFields: { applicationId } }: Pick<Exchange, 'logFields'>): Actor | undefined {
  return applicationId === undefined ? undefined : { id: applicationId, type: 'application' };
}

/** With the status of a success, the answer had begun. */
function failureOf(status: number): string {
  return status < 400 ? 'Broken Off' : (STATUS_CODES[status] ?? `Status ${status}`);
}

function destinationOf({ exchange, destination: url }: ProxyInvocation): object | undefined {
  if (url === undefined) return undefined;
  const { request, logFields, stages } = exchange;
  const { destinationStatus: status } = logFields;
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
