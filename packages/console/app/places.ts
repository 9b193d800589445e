import type { IconName } from './parts/icons.tsx';
import { texts } from './texts.ts';

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
}

const { nav } = texts;

/** The screens, in their groups. */
export const places: readonly (readonly [group: string | undefined, places: readonly Place[]])[] = [
  [
    undefined,
    [
      { path: '/', name: nav.home, icon: 'home' },
      { path: '/invocations', name: nav.invocations, icon: 'invocations' },
    ],
  ],
  [
    nav.build,
    [
      { path: '/proxies', name: nav.proxies, icon: 'proxies' },
      { path: '/reactors', name: nav.reactors, icon: 'reactors' },
      { path: '/formulas', name: nav.formulas, icon: 'formulas' },
      { path: '/webhooks', name: nav.webhooks, icon: 'webhooks' },
    ],
  ],
  [
    nav.access,
    [
      { path: '/tokens', name: nav.tokens, icon: 'tokens' },
      { path: '/applications', name: nav.applications, icon: 'applications' },
      { path: '/members', name: nav.members, icon: 'members' },
      { path: '/egress', name: nav.egress, icon: 'egress' },
      { path: '/audit', name: nav.audit, icon: 'audit' },
    ],
  ],
  [
    undefined,
    [
      { path: '/encryption-keys', name: nav.keys, icon: 'keys' },
      { path: '/settings', name: nav.settings, icon: 'settings' },
    ],
  ],
];
