import { sqlStateOf } from '@glovebox/platform/db/postgres';
import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { type Occurrence, retryAfterOf, toErrorObject } from '@glovebox/platform/errors/http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

import { trailOf } from './observe.ts';

export const notFound: RequestHandler = () => {
  throw new AppError('not_found', 'There is no such resource.');
};

/** The last middleware: every failure leaves as the common error object. @param docsUrl where errors are explained */
export function answerErrors(docsUrl: string): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    const error = publicError(thrown);
    const trail = trailOf(request);
    trail.error = error;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendError(response, error, { correlationId: trail.correlationId, docsUrl });
  };
}

function sendError(response: Response, error: AppError, occurrence: Occurrence): void {
  const body = toErrorObject(error, occurrence);
  if (error.code === 'unauthenticated') response.setHeader('WWW-Authenticate', 'ApiKey header="SVC-API-KEY"');
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  // The rest of a refused body is not read.
  if (error.code === 'too_large') response.setHeader('Connection', 'close');
  response.status(body.status).json(body);
}

/** SQLSTATEs of text that Postgres can't hold; by now readJson should have refused it. */
const unstorable = new Set(['22021', '22P05']);

function publicError(thrown: unknown): AppError {
  if (unstorable.has(sqlStateOf(thrown) ?? '')) {
    return new AppError('invalid_argument', 'The request holds text that cannot be stored.', {
      cause: thrown,
    });
  }
  if (thrown instanceof URIError) {
    return new AppError('invalid_argument', 'The path is not valid percent-encoding.');
  }
  return toAppError(thrown);
}
