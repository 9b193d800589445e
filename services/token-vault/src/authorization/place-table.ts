import { AppError } from '@glovebox/platform/errors/app-error';
import type { SealedPlace } from '@glovebox/protos/vault/v1/vault';

/** Every kind of place that is sealed for a service. What is of none of them is sealed and opened for nobody. */
const kinds = {
  /** An entry of the configuration of a proxy or reactor. */
  configuration: /^configuration\./,
  /** By which a proxy is invoked. */
  proxyKey: /^key$/,
  /** With which the deliveries of a webhook are signed. */
  webhookSecret: /^secret\.\d+$/,
  /** What a management request was answered; it may hold an API key. */
  answer: /^answer\.management$/,
  /** What user code wrote to its log. */
  log: /^log\./,
  /** What an asynchronous invocation gets and returns. */
  job: /^job\./,
} as const satisfies Readonly<Record<string, RegExp>>;

type Kind = keyof typeof kinds;

/**
 * Which kinds the services of the allow table may seal and open. Logs and jobs may hold token data: they are not for the
 * control plane. The runner makes nothing of what only the control plane stores, and opens what it works with alone.
 */
const placeTable: Readonly<Record<'seal' | 'open', Readonly<Record<string, readonly Kind[]>>>> = {
  seal: {
    'control-api': ['configuration', 'proxyKey', 'webhookSecret', 'answer'],
    'reactor-runner': ['log', 'job'],
  },
  open: {
    'control-api': ['configuration', 'proxyKey', 'webhookSecret', 'answer'],
    'reactor-runner': ['configuration', 'webhookSecret', 'log', 'job'],
  },
};

/** @throws AppError `permission_denied` */
export function checkPlaces(
  action: 'seal' | 'open',
  peer: string,
  items: readonly { readonly place: SealedPlace | undefined }[],
): void {
  const permitted = (placeTable[action][peer] ?? []).map((kind) => kinds[kind]);
  const isPermitted = (field: string) => permitted.some((kind) => kind.test(field));
  if (items.every(({ place }) => isPermitted(place?.field ?? ''))) return;
  throw new AppError('permission_denied', `The calling service may not ${action} values of this place.`);
}
