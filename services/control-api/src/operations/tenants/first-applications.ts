import { rootContainer } from '@glovebox/access/container';
import { isTokenPermission, permissionsFor } from '@glovebox/access/permission';

import type { ApplicationInput } from '../../applications/new-application.ts';

/** The application that a new tenant's owner manages it with. */
export const firstApplication: ApplicationInput = {
  name: 'management',
  type: 'management',
  permissions: permissionsFor('management'),
  rules: [],
};

const tokenPermissions = permissionsFor('private').filter(isTokenPermission);

/** For trying everything out at once: one that may do anything with tokens, and one for browsers. */
export const developmentApplications: readonly ApplicationInput[] = [
  {
    name: 'private',
    type: 'private',
    permissions: tokenPermissions,
    rules: [
      {
        description: 'everything in plain',
        priority: 1,
        container: rootContainer,
        transform: 'reveal',
        permissions: tokenPermissions,
      },
    ],
  },
  { name: 'public', type: 'public', permissions: permissionsFor('public'), rules: [] },
];
