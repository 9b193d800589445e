import type { Configuration, SealedConfiguration } from '../secrets/configuration.ts';
import type { Side } from './transform-expressions.ts';
import type { Transforms } from './transforms.ts';

/** A proxy as it is stored. */
export interface ProxyRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly key_hash: string;
  readonly sealed_key: Buffer;
  readonly destination_url: string;
  readonly request_transform_code: string | null;
  readonly response_transform_code: string | null;
  readonly request_steps: Transforms['steps'];
  readonly response_steps: Transforms['steps'];
  readonly sealed_configuration: SealedConfiguration | null;
  readonly application_id: string | null;
  readonly require_auth: boolean;
  readonly disable_detokenization: boolean;
  readonly timeout_seconds: number | null;
  /** Digits: a bigint of Postgres. */
  readonly version: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly modified_by: string;
  readonly modified_at: Date;
}

/** What a request may set of a proxy. */
export interface ProxyInput {
  readonly name: string;
  readonly destinationUrl: string;
  readonly transforms: Readonly<Record<Side, Transforms>>;
  readonly configuration: Configuration | null;
  readonly applicationId: string | null;
  readonly requireAuth: boolean;
  readonly disableDetokenization: boolean;
  /** In seconds. */
  readonly timeout: number | null;
}

/** The columns that a create and an update set alike. */
export function settableColumns(
  input: ProxyInput,
  sealedConfiguration: ProxyRow['sealed_configuration'],
): Pick<ProxyRow, SettableColumn> {
  return {
    name: input.name,
    destination_url: input.destinationUrl,
    ...transformColumns(input.transforms),
    sealed_configuration: sealedConfiguration,
    application_id: input.applicationId,
    require_auth: input.requireAuth,
    disable_detokenization: input.disableDetokenization,
    timeout_seconds: input.timeout,
  };
}

export function transformColumns({ request, response }: ProxyInput['transforms']) {
  return {
    request_transform_code: request.code,
    response_transform_code: response.code,
    request_steps: request.steps,
    response_steps: response.steps,
  };
}

export function transformsOf(row: ReturnType<typeof transformColumns>): ProxyInput['transforms'] {
  return {
    request: { code: row.request_transform_code, steps: row.request_steps },
    response: { code: row.response_transform_code, steps: row.response_steps },
  };
}

type SettableColumn =
  | 'name'
  | 'destination_url'
  | 'request_transform_code'
  | 'response_transform_code'
  | 'request_steps'
  | 'response_steps'
  | 'sealed_configuration'
  | 'application_id'
  | 'require_auth'
  | 'disable_detokenization'
  | 'timeout_seconds';
