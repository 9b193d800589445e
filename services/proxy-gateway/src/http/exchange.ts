import type { IncomingMessage, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';

import type { ExpressionLimits } from '@glovebox/expressions/limits';
import type { KnownNames } from '@glovebox/openapi/known-names';
import type { RateLimits } from '@glovebox/platform/db/rate-limits';
import { correlationIdOf } from '@glovebox/platform/http/correlation-id';
import type { Warnings } from '@glovebox/platform/http/warnings';
import {
  type Context,
  type Span,
  SpanKind,
  contextOf,
  startSpan,
} from '@glovebox/platform/telemetry/tracing';
import type { FairTurns } from '@glovebox/platform/values/fair-turns';
import type { KeyUses } from '@glovebox/published/key-uses';

import type { HeldBytes } from './body/body-memory.ts';
import type { ServiceHeaders } from './headers/service-headers.ts';
import { Stages } from './stages.ts';

// V8 would allocate exchanges among its old objects, where each keeps what its request brought until a full collection:
// a scavenge then takes ten times as long.
setFlagsFromString('--no-allocation-site-pretenuring');

/** Pages that may call from a browser: those of any origin, or of these. */
export type AllowedOrigins = '*' | ReadonlySet<string>;

/** Limits of one request or answer besides its bytes; docs/settings.md. */
export interface Bounds {
  /** Of bodies, headers and transforms. */
  readonly expressions: ExpressionLimits;
  /** Of the headers that code returns, and of one header with the values of its expressions in it. */
  readonly headerBytes: number;
  /** How many times as large a body may become when its Content-Encoding is undone. */
  readonly decodedRatio: number;
  /** Items of one page. */
  readonly pageSize: number;
}

/** What is the same for all requests. */
export interface Edge {
  /** The names that start with `BT-` count, and are answered, as well as the service's own. */
  readonly aliases: boolean;
  readonly origins: AllowedOrigins;
  /**
   * How many requests in one window: of one API key, of one tenant, of one address to one proxy without a key.
   * Undefined: any number.
   */
  readonly rates: RateLimits<'key' | 'tenant' | 'anonymous'> | undefined;
  /** When keys were last used. */
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** How many proxies of our own a request passes on its way. */
  readonly trustedHops: number;
  readonly bounds: Bounds;
  /** Of all requests together. */
  readonly held: HeldBytes;
  /** Of tenants on the event loop. */
  readonly turns: FairTurns;
  /** Where errors are explained. */
  readonly docsUrl: string;
  /** Answers say in Server-Timing how long each stage took. */
  readonly serverTiming: boolean;
}

/** A request target (RFC 9112 section 3.2) in its raw spelling. */
export interface RequestTarget {
  /** Starts with a slash. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
}

/** A response that a destination or code has made. */
export interface RawResponse {
  readonly status: number;
  /** Flat list of names and values, without those that announce the body. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** One HTTP request to the gateway and its response. */
export interface Exchange extends Edge {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly headers: ServiceHeaders;
  readonly correlationId: string;
  /** Of a request in JSON; undefined where all of it is the caller's own. */
  readonly known: KnownNames | undefined;
  /** Probable mistakes in the request. */
  readonly warnings: Warnings;
  /** Everything is decided, and nothing done (contract/dry-runs.md#dry-runs). */
  isDryRun: boolean;
  /** From `performance.now()`. */
  readonly startedAt: number;
  readonly span: Span;
  readonly trace: Context;
  readonly logFields: LogFields;
  readonly stages: Stages;
  /** For the outline of an invocation. */
  readonly outlineNotes: OutlineNotes;
  /** Runs when the response is complete or given up. */
  onEnded: (() => void) | undefined;
}

/** What only the outline of an invocation says (contract/invocations.md#outline). */
export interface OutlineNotes {
  /** Code that ran for the request wrote to its log. */
  logged: boolean;
  /** Where it threw, both from 1; 0 when that is unknown, and where none threw. */
  line: number;
  column: number;
  /** Of the body that the destination has answered with. */
  responseBytes: number;
}

/** Fields of the request's log line: ids only. */
export interface LogFields {
  tenantId: string | undefined;
  applicationId: string | undefined;
  proxyId: string | undefined;
  reactorId: string | undefined;
  errorCode: string | undefined;
  /** Never sent to the client. */
  cause: unknown;
  destinationStatus: number | undefined;
}

/** Starts the span and the clock of a request. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
  { headers, warnings }: Pick<Exchange, 'headers' | 'warnings'>,
  { name, known }: { readonly name: string; readonly known: KnownNames | undefined },
  edge: Edge,
): Exchange {
  const attributes = { 'http.request.method': request.method ?? '', 'http.route': name };
  const { span, context } = startSpan(
    `${request.method} ${name}`,
    { kind: SpanKind.SERVER, attributes },
    contextOf(headers.traceparent),
  );
  return {
    request,
    response,
    target,
    headers,
    aliases: edge.aliases,
    rates: edge.rates,
    keyUses: edge.keyUses,
    trustedHops: edge.trustedHops,
    origins: edge.origins,
    bounds: edge.bounds,
    docsUrl: edge.docsUrl,
    held: edge.held,
    turns: edge.turns,
    serverTiming: edge.serverTiming,
    correlationId: correlationIdOf(headers.traceId),
    known,
    warnings,
    isDryRun: false,
    startedAt: performance.now(),
    span,
    trace: context,
    logFields: {
      tenantId: undefined,
      applicationId: undefined,
      proxyId: undefined,
      reactorId: undefined,
      errorCode: undefined,
      cause: undefined,
      destinationStatus: undefined,
    },
    stages: new Stages(),
    outlineNotes: { logged: false, line: 0, column: 0, responseBytes: 0 },
    onEnded: undefined,
  };
}

const absoluteForm = /^https?:\/\/[^/?#]*/i;

export function parseRequestTarget(url: string): RequestTarget {
  const origin = url.startsWith('/') ? url : url.replace(absoluteForm, '');
  const mark = origin.indexOf('?');
  const path = mark < 0 ? origin : origin.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : origin.slice(mark + 1) };
}

/** Whether the client went away before it had its whole answer. */
export const isClientGone = (response: ServerResponse): boolean =>
  response.destroyed && !response.writableFinished;

/** Aborts when the client goes away. Made only where something waits for it: it costs more than most steps. */
export function clientGoneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (isClientGone(response)) gone.abort();
  else {
    response.once('close', () => {
      if (isClientGone(response)) gone.abort();
    });
  }
  return gone.signal;
}
