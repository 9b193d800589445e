import type { RequestHandler } from 'express';

/** Answers hold keys and secrets: nobody keeps them, nobody takes them for anything but JSON. */
export const secure: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
