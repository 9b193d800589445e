import type { CallOptions, Send } from '../client.ts';
import { configured, trial } from '../conversion.ts';
import type { InvocationList, InvocationQuery } from '../models/invocation.ts';
import type { NamedQuery } from '../models/page.ts';
import type { CreateProxy, PatchProxy, Proxy } from '../models/proxy.ts';
import type { TrialResult, TryTransform } from '../models/trial.ts';
import type { ProxyDefinition } from '../models/version.ts';
import { path } from '../path.ts';
import { PatchableResource } from './resource.ts';
import { Rollouts } from './rollouts.ts';
import { Versions } from './versions.ts';

/** `configuration` is not converted. */
export class Proxies extends PatchableResource<Proxy, CreateProxy, CreateProxy, PatchProxy, NamedQuery> {
  readonly versions: Versions<ProxyDefinition, CreateProxy>;
  /** A second version for a share of the requests. */
  readonly rollouts: Rollouts;
  readonly #send: Send;

  constructor(send: Send) {
    super(send, '/proxies', configured);
    this.versions = new Versions(send, '/proxies', configured);
    this.rollouts = new Rollouts(send, '/proxies');
    this.#send = send;
  }

  /** Runs code of a transform once, and stores nothing. Neither the event nor the result is converted. */
  async try(model: TryTransform, options?: CallOptions): Promise<TrialResult> {
    const shape = { sent: trial, received: trial };
    return this.#send({ method: 'POST', path: '/proxies/try', body: model, ...shape }, options);
  }

  /** For applications that may read every token in plaintext. */
  async listInvocations(id: string, query?: InvocationQuery, options?: CallOptions): Promise<InvocationList> {
    return this.#send({ method: 'GET', path: path`/proxies/${id}/invocations`, query }, options);
  }
}
