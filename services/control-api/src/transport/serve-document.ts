import { AppError } from '@glovebox/platform/errors/app-error';
import type { RequestHandler } from 'express';

import type { PublicDocument } from '../documentation/documents.ts';
import { pagePolicy } from '../documentation/page.ts';
import { trailOf } from './observe.ts';

/** Answers with a file that needs no key. It is asked for again each time, and sent only when it has changed. */
export function serveDocument(path: string, { type, body, etag }: PublicDocument): RequestHandler {
  return (request, response) => {
    trailOf(request).route = path;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      throw new AppError('method_not_allowed', 'Allowed here: GET, HEAD.');
    }
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', pagePolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('ETag', etag);
    if (holds(request.get('if-none-match'), etag)) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Type', type);
    // Express sends no body to HEAD.
    response.status(200).send(body);
  };
}

/** RFC 9110 section 13.1.2, with weak comparison. */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = new Set((ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, '')));
  return known.has(etag) || known.has('*');
}
