import { AppError } from '@glovebox/platform/errors/app-error';
import type { SealedPlace } from '@glovebox/protos/vault/v1/vault';

/** Every kind of place that the vault seals for other services. Other places are refused. */
const kinds = {
  configuration: /^configuration\./,
  proxyKey: /^key$/,
  /** Proves to a destination that a request comes from a proxy. */
  destinationKey: /^destination_tls\.client_key$/,
  /** Signs the deliveries of a webhook. */
  webhookSecret: /^secret\.\d+$/,
  /** The answer to a management request; it may hold an API key. */
  answer: /^answer\.management$/,
  log: /^log\./,
  /** The arguments and the result of an asynchronous invocation. */
  job: /^job\./,
} as const satisfies Readonly<Record<string, RegExp>>;

type Kind = keyof typeof kinds;

/**
 * Which kinds each service may seal and open. Logs and jobs may hold token data, so the control plane cannot open
 * them. The runner seals only what it stores itself. A destination's key is opened only where connections are made.
 */
const placeTable: Readonly<Record<'seal' | 'open', Readonly<Record<string, readonly Kind[]>>>> = {
  seal: {
    'control-api': ['configuration', 'proxyKey', 'destinationKey', 'webhookSecret', 'answer'],
    'reactor-runner': ['log', 'job'],
  },
  open: {
    'control-api': ['configuration', 'proxyKey', 'webhookSecret', 'answer'],
    'proxy-gateway': ['destinationKey'],
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
