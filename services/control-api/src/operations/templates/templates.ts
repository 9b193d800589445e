import type { ApplicationType, Permission } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';

/**
 * What an application may be made from; its type, permissions and rules are those of a create
 * (contract/tenants.md#application-templates).
 */
export interface ApplicationTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly application_type: ApplicationType;
  readonly template_type: 'starters' | 'payments' | 'banking' | 'pii' | 'management';
  readonly is_starter: boolean;
  readonly permissions?: readonly Permission[];
  readonly rules?: readonly AccessRule[];
}

/** Their ids stay for ever. */
export const applicationTemplates: readonly ApplicationTemplate[] = [
  {
    id: '5b0c1f3e-7a44-4c1d-9d0e-2f6b8a1c4e01',
    name: 'Collect in the browser',
    description: 'Creates tokens from a page or an app and never sees one again.',
    application_type: 'public',
    template_type: 'starters',
    is_starter: true,
    permissions: ['token:create'],
  },
  {
    id: '5b0c1f3e-7a44-4c1d-9d0e-2f6b8a1c4e02',
    name: 'Use in proxies and reactors',
    description: 'Invokes proxies and reactors with any token, and reads tokens masked.',
    application_type: 'private',
    template_type: 'starters',
    is_starter: true,
    rules: [
      rule(1, 'Tokens as they are masked', '/', 'mask', ['token:read', 'token:search']),
      rule(2, 'Plaintext for proxies and reactors only', '/', 'reveal', ['token:use']),
    ],
  },
  {
    id: '5b0c1f3e-7a44-4c1d-9d0e-2f6b8a1c4e03',
    name: 'Cards for payments',
    description: 'Stores cards and charges them through proxies; cards are only ever read masked.',
    application_type: 'private',
    template_type: 'payments',
    is_starter: false,
    rules: [
      rule(1, 'Store and look up cards', '/pci/', 'mask', ['token:create', 'token:read', 'token:search']),
      rule(2, 'Charge cards', '/pci/', 'reveal', ['token:use']),
    ],
  },
  {
    id: '5b0c1f3e-7a44-4c1d-9d0e-2f6b8a1c4e04',
    name: 'Bank accounts',
    description: 'Stores bank accounts and pays them out through proxies.',
    application_type: 'private',
    template_type: 'banking',
    is_starter: false,
    rules: [
      rule(1, 'Store and look up accounts', '/bank/', 'mask', ['token:create', 'token:read', 'token:search']),
      rule(2, 'Pay out', '/bank/', 'reveal', ['token:use']),
    ],
  },
  {
    id: '5b0c1f3e-7a44-4c1d-9d0e-2f6b8a1c4e05',
    name: 'Personal data',
    description: 'Keeps personal data up to date, reads it in plaintext, and deletes it.',
    application_type: 'private',
    template_type: 'pii',
    is_starter: false,
    rules: [
      rule(1, 'Keep personal data', '/pii/', 'reveal', [
        'token:create',
        'token:read',
        'token:search',
        'token:update',
        'token:delete',
      ]),
    ],
  },
  {
    id: '5b0c1f3e-7a44-4c1d-9d0e-2f6b8a1c4e06',
    name: 'Deploy proxies and reactors',
    description: 'For a pipeline: changes proxies, reactors and formulas, and nothing else.',
    application_type: 'management',
    template_type: 'management',
    is_starter: true,
    permissions: [
      'proxy:create',
      'proxy:read',
      'proxy:update',
      'proxy:delete',
      'reactor:create',
      'reactor:read',
      'reactor:update',
      'reactor:delete',
    ],
  },
  {
    id: '5b0c1f3e-7a44-4c1d-9d0e-2f6b8a1c4e07',
    name: 'Watch',
    description: 'Reads the audit log, usage reports and the configuration.',
    application_type: 'management',
    template_type: 'management',
    is_starter: false,
    permissions: ['tenant:read', 'application:read', 'proxy:read', 'reactor:read', 'log:read', 'report:read'],
  },
];

function rule(
  priority: number,
  description: string,
  container: string,
  transform: AccessRule['transform'],
  permissions: AccessRule['permissions'],
): AccessRule {
  return { description, priority, container, transform, permissions };
}
