import type { CallOptions, Send } from '../client.ts';
import { configured } from '../conversion.ts';
import type { InvocationList, InvocationQuery } from '../models/invocation.ts';
import type { NamedQuery } from '../models/page.ts';
import type { CreateProxy, PatchProxy, Proxy } from '../models/proxy.ts';
import type { ProxyDefinition } from '../models/version.ts';
import { path } from '../path.ts';
import { PatchableResource } from './resource.ts';
import { Versions } from './versions.ts';

/** `configuration` is not converted. */
export class Proxies extends PatchableResource<Proxy, CreateProxy, CreateProxy, PatchProxy, NamedQuery> {
  readonly versions: Versions<ProxyDefinition>;
  readonly #send: Send;

  constructor(send: Send) {
    super(send, '/proxies', configured);
    this.versions = new Versions(send, '/proxies', configured);
    this.#send = send;
  }

  /** For applications that may read every token in plaintext. */
  async listInvocations(id: string, query?: InvocationQuery, options?: CallOptions): Promise<InvocationList> {
    return this.#send({ method: 'GET', path: path`/proxies/${id}/invocations`, query }, options);
  }
}
