import type { Handler } from '../http/operation.ts';
import { showApplication } from './application.ts';
import type { ApplicationDependencies } from './dependencies.ts';
import { findApplication } from './store.ts';

export function getApplication({ postgres }: ApplicationDependencies): Handler {
  return async ({ principal, id }) => ({
    status: 200,
    body: showApplication(await findApplication(postgres, principal.tenantId, id)),
  });
}
