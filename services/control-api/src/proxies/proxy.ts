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
  /** Base64 of each sealed value by its name. */
  readonly sealed_configuration: Readonly<Record<string, string>> | null;
  readonly application_id: string | null;
  readonly require_auth: boolean;
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
  readonly requestTransformCode: string | null;
  readonly responseTransformCode: string | null;
  readonly configuration: Readonly<Record<string, string>> | null;
  readonly applicationId: string | null;
  readonly requireAuth: boolean;
}
