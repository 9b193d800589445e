import type { IconName } from './parts/icons.tsx';
import { texts } from './texts.ts';

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** After `g` it leads there. */
  readonly key: string;
}

const { nav } = texts;

/** The screens, in their groups. */
export const places: readonly (readonly [group: string | undefined, places: readonly Place[]])[] = [
  [
    undefined,
    [
      { path: '/', name: nav.home, icon: 'home', key: 'h' },
      { path: '/invocations', name: nav.invocations, icon: 'invocations', key: 'i' },
    ],
  ],
  [
    nav.build,
    [
      { path: '/proxies', name: nav.proxies, icon: 'proxies', key: 'p' },
      { path: '/reactors', name: nav.reactors, icon: 'reactors', key: 'r' },
      { path: '/formulas', name: nav.formulas, icon: 'formulas', key: 'f' },
      { path: '/webhooks', name: nav.webhooks, icon: 'webhooks', key: 'w' },
    ],
  ],
  [
    nav.access,
    [
      { path: '/tokens', name: nav.tokens, icon: 'tokens', key: 't' },
      { path: '/applications', name: nav.applications, icon: 'applications', key: 'a' },
      { path: '/members', name: nav.members, icon: 'members', key: 'm' },
      { path: '/egress', name: nav.egress, icon: 'egress', key: 'e' },
      { path: '/audit', name: nav.audit, icon: 'audit', key: 'l' },
    ],
  ],
  [
    undefined,
    [
      { path: '/encryption-keys', name: nav.keys, icon: 'keys', key: 'k' },
      { path: '/settings', name: nav.settings, icon: 'settings', key: 's' },
    ],
  ],
];
