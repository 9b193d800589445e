import { checkAnswer } from '../../../../test/harness/check-answer.ts';
import type { ControlConfig } from '../../src/config.ts';
import { type ControlApi, type ControlOverrides, startControlApi } from '../../src/control-api.ts';
import { provisionTenant } from '../../src/provision-tenant.ts';
import { absentEraser } from './absent-eraser.ts';
import { reversingSealer } from './reversing-sealer.ts';
import { newInstallation } from './stores.ts';

/** Whatever any answer may hold. */
export interface Body {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly data: Body[];
  readonly pagination: { total_items: number; page_number: number; page_size: number; total_pages: number };
  readonly errors: Record<string, string[]>;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly created_at: string;
  readonly modified_at: string;
  readonly application_id: string;
  readonly configuration: Record<string, string>;
  readonly formula: Body;
  readonly application: Body;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of an answer that has one. */
  readonly body: Body;
}

export interface Sent {
  /** Undefined: the tenant's management key. Null: none. */
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** What is sent is beyond the limits that the API is described with. */
  readonly beyondDefaults?: boolean;
}

export interface TestTenant {
  readonly id: string;
  readonly managementKey: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/** What is published of a tenant that is new: itself, and each of its three applications under id and key. */
export const recordsOfNewTenant = 1 + 3 * 2;

/** And of a proxy: all of it under its key, and whose it is under its id. */
export const recordsOfProxy = 2;

/** A running control-api with one tenant. */
export interface TestApi extends AsyncDisposable {
  readonly config: ControlConfig;
  readonly service: ControlApi;
  readonly base: string;
  readonly tenant: TestTenant;
  newTenant(): Promise<TestTenant>;
  /** E.g. `send('POST /proxies', {body: {…}})` */
  send(request: string, sent?: Sent): Promise<Answer>;
}

export async function startTestApi(
  overrides: ControlOverrides = { sealer: reversingSealer },
  config?: ControlConfig,
): Promise<TestApi> {
  const own = config ?? (await newInstallation());
  const tenant = await newTenant(own);
  // A test that replaces the sealer has no vault.
  const eraser = overrides.sealer === undefined ? {} : { eraser: absentEraser };
  const service = await startControlApi(own, { ...eraser, ...overrides });
  const base = `http://127.0.0.1:${service.httpPort}`;
  return {
    config: own,
    service,
    base,
    tenant,
    newTenant: () => newTenant(own),
    send: (request, sent) => send(base, tenant.managementKey, request, sent),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

export async function newTenant(config: ControlConfig): Promise<TestTenant> {
  const { tenant } = await provisionTenant(config, { name: 'A tenant', development: true });
  const [managementKey = '', privateKey = '', publicKey = ''] = tenant.apiKeys;
  return { id: tenant.tenantId, managementKey, privateKey, publicKey };
}

export async function send(
  base: string,
  defaultKey: string,
  request: string,
  sent: Sent = {},
): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const key = sent.key === undefined ? defaultKey : sent.key;
  const response = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { 'SVC-API-KEY': key }),
      ...(sent.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...sent.headers,
    },
    ...(sent.body === undefined ? {} : { body: encode(sent.body) }),
  });
  const text = await response.text();
  const { status, headers } = response;
  // As in the stories of the whole system.
  const given = { status, headers: Object.fromEntries(headers), text };
  if (!sent.beyondDefaults) checkAnswer({ method, target: path, json: sentJson(sent.body) }, given);
  return {
    status,
    headers,
    text,
    get body() {
      return JSON.parse(text) as Body;
    },
  };
}

function sentJson(body: unknown): unknown {
  if (body instanceof Uint8Array) return undefined;
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function encode(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
