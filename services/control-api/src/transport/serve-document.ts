import { AppError } from '@glovebox/platform/errors/app-error';
import type { RequestHandler } from 'express';

import { publicDocuments } from '../documentation/documents.ts';
import { trailOf } from './observe.ts';

/** What begins so is a file that needs no key, or is not there. */
export const documentPaths = /^\/(?:docs(?:\/.*)?|openapi\.json\/?)$/;

/** Answers with a file that needs no key. It is asked for again each time, and sent only when it has changed. */
export const serveDocument: RequestHandler = async (request, response, next) => {
  const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
  const document = (await publicDocuments()).get(path);
  if (document === undefined) return next();
  trailOf(request).route = path;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    throw new AppError('method_not_allowed', 'Allowed here: GET, HEAD.');
  }
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Content-Security-Policy', document.policy);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('ETag', document.etag);
  if (holds(request.get('if-none-match'), document.etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', document.type);
  // Express sends no body to HEAD.
  response.status(200).send(document.body);
};

/** RFC 9110 section 13.1.2, with weak comparison. */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = new Set((ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, '')));
  return known.has(etag) || known.has('*');
}
