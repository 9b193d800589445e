import { fromWireError } from '@glovebox/platform/errors/grpc';
import {
  type ErrorObject,
  type Occurrence,
  problemObject,
  toErrorObject,
} from '@glovebox/platform/errors/http';
import { RunnerReply } from '@glovebox/protos/runner/v1/runner';
import type { PublishedRecords } from '@glovebox/published/published-records';

import { interrupted } from '../requests/ending.ts';
import type { RequestSealing } from '../requests/request-sealing.ts';
import type { RequestStore, StoredRequest } from '../requests/request-store.ts';
import type { CallbackDelivery } from './delivery.ts';
import { type Message, deliveryHeaders, timestampOf } from './message.ts';

export interface CallbackContext {
  readonly registry: Pick<PublishedRecords, 'reactorById'>;
  readonly requests: Pick<RequestStore, 'read'>;
  readonly requestSealing: Pick<RequestSealing, 'open'>;
  /** Where errors are explained. */
  readonly docsUrl: string;
}

interface Result {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * The result of an invocation for the address that came with it; undefined when the reactor or the result is gone.
 * @throws AppError; an Error while Redis is away
 */
export async function callbackMessage(
  { registry, requests, requestSealing, docsUrl }: CallbackContext,
  { tenantId, reactorId, requestId, correlationId, url }: CallbackDelivery,
  now = new Date(),
): Promise<Message | undefined> {
  const reactor = await registry.reactorById(reactorId);
  const request = reactor?.tenantId === tenantId ? await requests.read(requestId) : undefined;
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

/** What asking for the result would be answered. */
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
    case 'refused': {
      const { status, detail, problems } = outcome.value;
      const errors = Object.fromEntries(problems.map(({ path, messages }) => [path, messages]));
      const title = 'One or more validation errors occurred.';
      return problem(problemObject({ errors, title, status, detail }, occurrence));
    }
    case 'responded':
      return responded(outcome.value.status, outcome.value.json.toString());
    case 'error':
      return problem(toErrorObject(fromWireError(outcome.value), occurrence));
    default:
      throw new Error('a result of an unknown kind was kept');
  }
}

function responded(status: number, thrown: string): Result {
  const { body } = JSON.parse(thrown) as { body?: unknown };
  if (typeof body === 'string') return { status, type: 'text/plain; charset=utf-8', body };
  return json(status, body === undefined ? '' : JSON.stringify(body));
}

function problem(object: ErrorObject): Result {
  return json(object.status, JSON.stringify(object));
}

function json(status: number, body: string): Result {
  return { status, type: 'application/json', body };
}
