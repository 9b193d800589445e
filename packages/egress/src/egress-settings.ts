import { integer, list, oneOf } from '@glovebox/platform/settings/builders';
import { type Setting, derived } from '@glovebox/platform/settings/setting';

import { type EgressSettings, defaultUrlLength, egressPolicyProblems } from './egress-policy.ts';
import type { ListenerAddress } from './own-listeners.ts';

export const egressProfile = oneOf(
  'EGRESS_PROFILE',
  'Which destinations are allowed. `development` also allows http, and https to this machine. Checked when a proxy or webhook is saved and again for every address that is dialled',
  ['strict', 'development'],
  'strict',
);

export const egressAllowHosts = checked(
  list(
    'EGRESS_ALLOW_HOSTS',
    'Names that may resolve to private addresses, e.g. `*.corp.example`. A name that [cannot be public](#names-that-cannot-be-public) is a destination only if it is listed here. Set it alike in all services: what can be saved is what can be used',
  ),
  (allowHosts) => ({ allowHosts }),
);

export const egressAllowCidrs = checked(
  list('EGRESS_ALLOW_CIDRS', 'Address blocks that are not public but may be dialled, e.g. `10.1.0.0/16`'),
  (allowCidrs) => ({ allowCidrs }),
);

/** As listeners, so that they are refused like those of the process itself. */
export const egressDeniedPorts = derived(
  list(
    'EGRESS_DENY_LOCAL_PORTS',
    'Ports of this machine that requests cannot reach in development, besides those that the service itself listens on or calls',
  ),
  (ports, problem): readonly ListenerAddress[] => {
    if (ports.some((port) => !/^\d{1,5}$/.test(port)))
      problem('EGRESS_DENY_LOCAL_PORTS must be a list of ports');
    return ports.map((port) => ({ address: '0.0.0.0', port: Number(port) }));
  },
);

/** In characters. */
export const urlLength = integer(
  'MAX_URL_LENGTH',
  'Length of a `destination_url`, of the `url` of a webhook, of `SVC-PROXY-URL` and of `callback_url`',
  { default: defaultUrlLength, min: 20, max: 2000 },
);

function checked(
  setting: Setting<readonly string[]>,
  settingsOf: (items: readonly string[]) => Partial<EgressSettings>,
): Setting<readonly string[]> {
  return derived(setting, (items, note) => {
    const problems = egressPolicyProblems({ profile: 'strict', ...settingsOf(items) });
    for (const problem of problems) note(`${setting.descriptions[0]?.name}: ${problem}`);
    return items;
  });
}
