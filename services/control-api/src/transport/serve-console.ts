import { type ConsoleFile, type ConsoleFiles, openConsole } from '@glovebox/console/open-console';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Request, RequestHandler, Response } from 'express';

import { trailOf } from './observe.ts';

/** Pages of the console and its files; `/console/session` has handlers of its own. */
export const consolePaths = /^\/console(?:\/.*)?$/;

/** Nothing but its own files and this API; text never becomes a script (Trusted Types). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const assets = '/assets/';
let files: Promise<ConsoleFiles> | undefined;

/** The console: every address below it is its one page, which shows the screen of that address. */
export const serveConsole: RequestHandler = async (request, response) => {
  trailOf(request).route = '/console';
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    throw new AppError('method_not_allowed', 'Allowed here: GET, HEAD.');
  }
  const path = request.path.slice('/console'.length);
  const isAsset = path.startsWith(assets);
  files ??= openConsole();
  const file = (await files).get(isAsset ? path : '/index.html');
  if (file === undefined) throw new AppError('not_found', 'There is no such file of the console.');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  // The names of assets hold their hashes.
  if (isAsset) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  send(request, response, file);
};

function send(request: Request, response: Response, file: ConsoleFile): void {
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Content-Type', file.type);
  if (encoding === 'br' || encoding === 'gzip') {
    response.setHeader('Content-Encoding', encoding);
    response.status(200).send(file[encoding]);
    return;
  }
  response.status(200).send(file.plain);
}
