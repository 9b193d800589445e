import { fromWireError } from '@glovebox/platform/errors/grpc';
import { type ErrorObject, type Occurrence, toErrorObject } from '@glovebox/platform/errors/http';
import { RunnerReply } from '@glovebox/protos/runner/v1/runner';
import type { PublishedRecords } from '@glovebox/published/published-records';

import { refusalObject, respondedBody } from '../replies/reply.ts';
import { interrupted } from '../requests/invocation-end.ts';
import type { RequestSealing } from '../requests/request-sealing.ts';
import type { RequestStore, StoredRequest } from '../requests/request-store.ts';
import type { CallbackDelivery } from './delivery.ts';
import { type Message, deliveryHeaders, timestampOf } from './message.ts';

export interface CallbackContext {
  readonly published: Pick<PublishedRecords, 'reactorById'>;
  readonly requests: Pick<RequestStore, 'read'>;
  readonly requestSealing: Pick<RequestSealing, 'open'>;
  /** Base URL of the error documentation. */
  readonly docsUrl: string;
}

interface Result {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * The result of an invocation, for its callback address; undefined when the reactor or the result is gone.
 * @throws AppError; an Error while Redis is away
 */
export async function callbackMessage(
  { published, requests, requestSealing, docsUrl }: CallbackContext,
  { tenantId, reactorId, requestId, correlationId, url }: CallbackDelivery,
  now = new Date(),
): Promise<Message | undefined> {
  const reactor = await published.reactorById(reactorId);
  const request = reactor?.tenantId === tenantId ? await requests.read({ tenantId, requestId }) : undefined;
  if (request === undefined || request.state === 'open') return undefined;
  const place = { tenantId, reactorId, requestId };
  const opened = await requestSealing.open(place, 'callback', Buffer.from(url, 'base64'));
  const { status, type, body } = await resultOf(
    request,
    () => requestSealing.open(place, 'result', request.outcome),
    { correlationId, docsUrl },
  );
  return {
    url: opened.toString(),
    headers: {
      ...deliveryHeaders(requestId, timestampOf(now), correlationId),
      'Content-Type': type,
      'SVC-REACTOR-STATUS': String(status),
    },
    body,
  };
}

/** The answer that a request for the result would get. */
async function resultOf(
  { state }: StoredRequest,
  open: () => Promise<Buffer>,
  occurrence: Occurrence,
): Promise<Result> {
  if (state === 'interrupted') return problem(toErrorObject(interrupted(), occurrence));
  const { outcome } = RunnerReply.decode(await open());
  switch (outcome?.$case) {
    case 'answered':
      return json(200, outcome.value.json.toString());
    case 'refused':
      return problem(refusalObject(outcome.value, occurrence));
    case 'responded':
      return responded(outcome.value.status, outcome.value.json);
    case 'error':
      return problem(toErrorObject(fromWireError(outcome.value), occurrence));
    default:
      throw new Error('the stored result has an unknown kind');
  }
}

function responded(status: number, response: Buffer): Result {
  const { isJson, text } = respondedBody(response);
  return isJson ? json(status, text) : { status, type: 'text/plain; charset=utf-8', body: text };
}

function problem(object: ErrorObject): Result {
  return json(object.status, JSON.stringify(object));
}

function json(status: number, body: string): Result {
  return { status, type: 'application/json', body };
}
