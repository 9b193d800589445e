import type { Handler } from '../http/operation.ts';
import { showApplication } from './application.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { findApplication } from './store.ts';

/** The application that the presented key belongs to. */
export function getOwnApplication({ postgres }: ApplicationDependencies): Handler {
  return async ({ principal }) => ({
    status: 200,
    body: showApplication(await findApplication(postgres, principal.tenantId, principal.applicationId)),
  });
}
