import type { KeyUses } from '@glovebox/published/key-uses';
import express, { type Express, type RequestHandler } from 'express';

import type { SharedDependencies } from '../operations/dependencies.ts';
import { type ManagementLimits, admit, authenticate } from './authenticate.ts';
import { consoleRoutes } from './console-routes.ts';
import { answerErrors, notFound } from './errors.ts';
import { type RunIdempotently, createRouteExecutor } from './idempotency.ts';
import { mount } from './mount.ts';
import { type ObserveOptions, observe } from './observe.ts';
import { jsonReader } from './read-json.ts';
import { routes } from './routes.ts';
import { auditKeysPath, serveAuditKeys } from './serve-audit-keys.ts';
import { consolePaths, serveConsole } from './serve-console.ts';
import { documentPaths, serveDocument } from './serve-document.ts';
import { mountSignIn } from './sign-in/mount-sign-in.ts';
import type { SignInOptions } from './sign-in/options.ts';

export interface AppOptions extends ObserveOptions {
  readonly dependencies: SharedDependencies & { readonly keyUses: Pick<KeyUses, 'note'> };
  readonly runIdempotently: RunIdempotently;
  readonly limits: ManagementLimits | undefined;
  readonly signIn: Omit<SignInOptions, 'postgres' | 'readJson' | 'logger'>;
  /** Where errors are explained. */
  readonly docsUrl: string;
}

export function createApp(options: AppOptions): Express {
  const { dependencies, runIdempotently, limits, aliases, docsUrl } = options;
  const callers = dependencies.postgres.acrossTenants('authentication');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  // A trailing slash is the same path, without a redirect (contract/conventions.md#addresses).
  app.disable('strict routing');
  app.enable('case sensitive routing');

  app.use(observe(options));
  app.use(secure);
  app.all(documentPaths, serveDocument);
  app.all(auditKeysPath, serveAuditKeys(dependencies.exportSigner));
  const readJson = jsonReader(dependencies.inputLimits);
  mountSignIn(app, { ...options.signIn, postgres: dependencies.postgres, readJson, logger: options.logger });
  mount(app, [...routes, ...consoleRoutes], {
    readJson,
    authenticate: async (request) => {
      const principal = await authenticate(callers, request.headers);
      if (principal.keyHash !== undefined) dependencies.keyUses.note(principal.tenantId, principal.keyHash);
      return principal;
    },
    admit: (_request, principal) => admit(limits, principal),
    execute: createRouteExecutor(dependencies, runIdempotently),
    aliases,
  });
  app.all(consolePaths, serveConsole);
  app.use(notFound);
  app.use(answerErrors(docsUrl));
  return app;
}

/** Answers hold keys and secrets: no cache may keep them, and no browser may guess another type than JSON. */
const secure: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
