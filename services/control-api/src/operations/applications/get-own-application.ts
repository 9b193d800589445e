import { showApplication } from '../../applications/application.ts';
import { findApplication } from '../../applications/store.ts';
import type { Handler } from '../../http/call.ts';
import type { ApplicationDependencies } from './dependencies.ts';

/** The application that the presented key belongs to. */
export function getOwnApplication({ postgres }: ApplicationDependencies): Handler {
  return async ({ principal }) => ({
    status: 200,
    body: showApplication(await findApplication(postgres, principal.tenantId, principal.applicationId)),
  });
}
