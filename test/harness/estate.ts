import { randomBytes, randomUUID } from 'node:crypto';

import { type Answer, type Json, type Sent, apiOf } from './api.ts';
import type { PublicOperation } from './public-operations.ts';
import type { System } from './system.ts';
import { until } from './until.ts';

interface Ids {
  /** By the path of their collection. */
  readonly ids: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly proxyKey: string;
}

export interface RequestOf {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One of everything that a tenant can have. */
export interface Estate {
  /** A request for an operation that would be right for who may: as the API's description has it, about the estate. */
  request(one: PublicOperation): RequestOf;
  /** What nobody else may be told. */
  readonly secrets: readonly string[];
  /** All of it, as its owner sees it. */
  look(): Promise<Json>;
}

/** A failed invocation of a proxy that reaches nothing. @returns its id */
export async function invokeInVain(system: System): Promise<string> {
  const { management_api_key: key } = system.dev;
  const api = apiOf(system);
  const proxy = await api.proxy('http://localhost:9');
  await api.invoke(proxy.key, 'POST', '', { body: {} });
  let id: string | undefined;
  await until('its outline is there', async () => {
    const { data } = wanted(await api.send('GET', `/invocations?subject=${proxy.id}`, { key }));
    id = data[0]?.id;
    return id !== undefined;
  });
  return id ?? '';
}

/**
 * Makes one of everything in the development tenant.
 * @param more ids of what not every version has, by the path of their collection
 */
export async function foundEstate(system: System, more: Ids['ids'] = {}): Promise<Estate> {
  const { management_api_key: management, private_api_key: own, tenant_id: tenantId } = system.dev;
  const api = apiOf(system);
  const secret = `estate ${randomBytes(9).toString('hex')}`;
  const make = async (path: string, body: object, key = management) =>
    wanted(await api.send('POST', path, { key, body }));
  const code = 'module.exports = async (req) => ({ raw: req.args });';
  const application = await make('/applications', {
    name: secret,
    type: 'private',
    permissions: ['token:read'],
  });
  const key = await make(`/applications/${application.id}/keys`, {});
  const formula = await make('/reactor-formulas', { name: secret, type: 'private', code });
  const reactor = await make('/reactors', { name: secret, configuration: {}, formula: { id: formula.id } });
  const proxy = await make('/proxies', {
    name: secret,
    destination_url: 'http://localhost:9',
    configuration: { KEY: secret },
    require_auth: true,
  });
  const token = (data: string) => make('/tokens', { type: 'token', data, metadata: { secret } }, own);
  const [parent, child] = [await token('parent'), await token('child')];
  wanted(await api.send('POST', `/tokens/${parent.id}/children/${child.id}`, { key: own }));
  const intent = await make('/token-intents', { type: 'token', data: 'intent' }, own);
  const request = await make(`/reactors/${reactor.id}/react-async`, { args: {} }, own);
  const webhook = await make('/webhooks', {
    name: secret,
    url: 'https://example.org',
    events: ['reactor.failed'],
  });
  const delivery = await make(`/webhooks/${webhook.id}/test`, {});
  const clientKey = await make('/keys', {});
  const invitation = await make('/tenants/self/invitations', { email: `${randomUUID()}@example.org` });
  const members = wanted(await api.send('GET', '/tenants/self/members', { key: management }));
  const templates = wanted(await api.send('GET', '/application-templates', { key: management }));
  const ids = {
    '/applications': application.id,
    '/application-templates': templates[0].id,
    '/reactor-formulas': formula.id,
    '/reactors': reactor.id,
    '/proxies': proxy.id,
    '/tokens': parent.id,
    '/token-intents': intent.id,
    '/webhooks': webhook.id,
    '/keys': clientKey.id,
    '/tenants/self/invitations': invitation.id,
    '/tenants/self/members': members.data[0].id,
    ...more,
  };
  const parameters = {
    key_id: key.id,
    child_id: child.id,
    delivery_id: delivery.id,
    request_id: request.asyncReactorRequestId,
    version: '1',
    path: 'charge',
  };

  return {
    request: (one) => requestFor(one, { ids, parameters, proxyKey: proxy.key }),
    secrets: [secret, tenantId, proxy.key, invitation.email],
    async look() {
      const seen: Record<string, unknown> = {};
      for (const [path, id] of Object.entries(ids)) {
        if (path === '/token-intents' || path === '/tenants/self/members') continue;
        const sent: Sent = { key: path === '/tokens' ? own : management };
        seen[path] = wanted(await api.send('GET', `${path}/${id}`, sent));
      }
      seen['children'] = wanted(await api.send('GET', `/tokens/${parent.id}/children`, { key: own }));
      seen['tenant'] = wanted(await api.send('GET', '/tenants/self', { key: management }));
      return seen;
    },
  };
}

/** The same requests about what there is not. */
export function unlikeAny(estate: Estate): Estate {
  return {
    ...estate,
    request(one) {
      const { ids, parameters } = nothing;
      return requestFor(one, { ids, parameters, proxyKey: randomBytes(11).toString('hex') });
    },
  };
}

const nothing = {
  ids: new Proxy<Record<string, string>>({}, { get: () => randomUUID() }),
  parameters: new Proxy<Record<string, string>>(
    {},
    { get: (_, name) => (name === 'path' ? 'charge' : name === 'version' ? '1' : randomUUID()) },
  ),
};

function requestFor(one: PublicOperation, { ids, parameters, proxyKey }: Ids): RequestOf {
  const collection = one.path.slice(0, Math.max(0, one.path.indexOf('/{')));
  const target = one.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => (name === 'id' ? ids[collection] : parameters[name]) ?? '',
  );
  const [type, content] = Object.entries(one.operation.requestBody?.content ?? {})[0] ?? [];
  const query = new URLSearchParams();
  for (const parameter of one.operation.parameters ?? []) {
    if ('in' in parameter && parameter.in === 'query' && parameter.required === true) {
      query.set(parameter.name, String(parameter.example));
    }
  }
  return {
    target: query.size === 0 ? target : `${target}?${query}`,
    headers: {
      ...(one.path.startsWith('/proxy') && !one.path.startsWith('/proxies')
        ? { 'SVC-PROXY-KEY': proxyKey }
        : {}),
      ...(type === undefined || type.includes('*') ? {} : { 'Content-Type': type }),
    },
    body: one.path.startsWith('/proxy/') || one.path === '/proxy' ? undefined : content?.example,
  };
}

function wanted({ status, json, text }: Answer): Json {
  if (status >= 300) throw new Error(`the estate was not made: ${status} ${text}`);
  return json;
}
