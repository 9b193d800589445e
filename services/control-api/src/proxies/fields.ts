import * as z from 'zod';

import {
  type RowOf,
  column,
  created,
  flag,
  optionalText,
  shownFields,
  text,
  version,
} from '../fields/column.ts';
import { responseGuard } from '../fields/response-guard.ts';
import { required, resourceName } from '../http/shape.ts';
import type { SealedConfiguration } from '../secrets/sealer.ts';
import { type DestinationTls, shownDestinationTls } from './destination-tls.ts';
import type { ProxySecrets } from './secrets.ts';
import type { Side } from './transform-expressions.ts';
import { type Transforms, shownTransforms } from './transforms.ts';

const boolean = () => z.boolean('must be a boolean');

/**
 * The columns of a proxy, in the order of the API: the SQL, the type of a row, what requests send, what the API shows
 * and the published record follow from them.
 */
export const proxyFields = {
  id: text({ fixed: true, published: true }),
  tenant_id: text({ fixed: true, published: true }),
  name: text({ sent: resourceName, published: true }),
  key_hash: text({ fixed: true, hidden: true }),
  sealed_key: column<Buffer>()({ as: 'key', fixed: true, hidden: true }),
  destination_url: text({ sent: () => z.string(required('must be a string')) }),
  destination_tls: column<DestinationTls | null>()({ json: true, hidden: true }),
  request_transform_code: optionalText({ as: 'request_transform', hidden: true, published: '' }),
  request_steps: column<Transforms['steps']>()({ as: 'request_transforms', json: true, hidden: true }),
  response_transform_code: optionalText({ as: 'response_transform', hidden: true, published: '' }),
  response_steps: column<Transforms['steps']>()({ as: 'response_transforms', json: true, hidden: true }),
  sealed_configuration: column<SealedConfiguration | null>()({
    as: 'configuration',
    json: true,
    hidden: true,
  }),
  application_id: optionalText({ published: '' }),
  require_auth: flag({ sent: boolean, absent: true, published: true }),
  disable_detokenization: flag({
    sent: boolean,
    absent: false,
    published: true,
    show: (isDisabled: boolean) => isDisabled || undefined,
  }),
  /** Until the destination's response must begin. */
  timeout_seconds: column<number | null>()({
    as: 'timeout',
    sent: ({ timeoutSeconds }) =>
      z
        .int('must be a whole number of seconds')
        .min(1, 'must be at least 1')
        .max(timeoutSeconds, `must be at most ${timeoutSeconds}`),
    absent: null,
    published: 0,
  }),
  response_guard: responseGuard,
  /** Hosts that the code may reach; null: whatever the tenant's egress policy allows. */
  allowed_destinations: column<readonly string[] | null>()({ json: true }),
  version,
  ...created,
  modified_by: text({ unversioned: true }),
  modified_at: column<Date>()({ unversioned: true }),
};

/** A proxy as it is stored. */
export type ProxyRow = RowOf<typeof proxyFields>;

export type ProxyTransforms = Readonly<Record<Side, Transforms>>;

export function transformColumns({ request, response }: ProxyTransforms) {
  return {
    request_transform_code: request.code,
    request_steps: request.steps,
    response_transform_code: response.code,
    response_steps: response.steps,
  };
}

export function transformsOf(row: ReturnType<typeof transformColumns>): ProxyTransforms {
  return {
    request: { code: row.request_transform_code, steps: row.request_steps },
    response: { code: row.response_transform_code, steps: row.response_steps },
  };
}

/** A proxy as list, get and update show it (contract/proxies.md#proxy-object). */
export function showProxy(row: ProxyRow, { key, configuration }: ProxySecrets): object {
  const { request, response } = transformsOf(row);
  return shownFields(proxyFields, row, {
    key,
    destination_tls: shownDestinationTls(row.destination_tls),
    ...shownTransforms('request', request),
    ...shownTransforms('response', response),
    configuration: configuration ?? undefined,
    // Code is checked before it is stored, and published before the answer: a stored proxy is always active.
    state: 'active',
  });
}

/** A proxy as create shows it: without modification. */
export function showCreatedProxy(row: ProxyRow, secrets: ProxySecrets): object {
  return { ...showProxy(row, secrets), modified_by: undefined, modified_at: undefined };
}
