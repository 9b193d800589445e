import { showApplication } from '../../applications/application.ts';
import { findApplication } from '../../applications/store.ts';
import type { Handler } from '../../http/call.ts';
import type { ApplicationDependencies } from './dependencies.ts';

export function getApplication({ postgres }: ApplicationDependencies): Handler {
  return async ({ principal, id }) => ({
    status: 200,
    body: showApplication(await findApplication(postgres, principal.tenantId, id)),
  });
}
