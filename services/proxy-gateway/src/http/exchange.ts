import type { IncomingMessage, ServerResponse } from 'node:http';

import type { KnownNames } from '@glovebox/openapi/known-names';
import type { Warnings } from '@glovebox/platform/http/warnings';
import type { Context, Span } from '@glovebox/platform/telemetry/tracing';

import type { EdgeLimits } from '../authentication/admit.ts';
import type { Bounds } from '../bounds.ts';
import type { InvokedProxy } from '../proxy/events/invoked-proxy.ts';
import type { HeldBytes } from './body/held-bytes.ts';
import type { AllowedOrigins } from './cross-origin.ts';
import type { ServiceHeaders } from './headers/service-headers.ts';
import type { RequestTarget } from './request-target.ts';
import type { Stages } from './stages.ts';

/** One request at the edge and its answer, with what is noted of it for log, metrics and trace. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly headers: ServiceHeaders;
  /** The names that start with `BT-` count, and are answered, as well as the service's own. */
  readonly aliases: boolean;
  readonly origins: AllowedOrigins;
  /** Undefined: there are none. */
  readonly limits: EdgeLimits | undefined;
  readonly bounds: Bounds;
  /** Of all requests together. */
  readonly held: HeldBytes;
  readonly correlationId: string;
  /** Of a request in JSON; undefined where all of it is the caller's own. */
  readonly known: KnownNames | undefined;
  /** What is probably a mistake in the request is added to them. */
  readonly warnings: Warnings;
  /** Where errors are explained. */
  readonly docsUrl: string;
  /** From `performance.now()`. */
  readonly startedAt: number;
  readonly span: Span;
  readonly trace: Context;
  /** For the request's log line; ids only. */
  readonly notes: ExchangeNotes;
  readonly stages: Stages;
  /** Answers say how long each stage took. */
  readonly tellsTiming: boolean;
}

export interface ExchangeNotes {
  tenantId: string | undefined;
  applicationId: string | undefined;
  proxyId: string | undefined;
  reactorId: string | undefined;
  errorCode: string | undefined;
  /** Kept for the log; never sent. */
  cause: unknown;
  destinationStatus: number | undefined;
  /** For webhooks; undefined until a proxy is invoked. */
  invoked: InvokedProxy | undefined;
}
