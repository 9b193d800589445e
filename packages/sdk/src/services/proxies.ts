import type { Send } from '../client.ts';
import { configured } from '../conversion.ts';
import type { NamedQuery } from '../models/page.ts';
import type { CreateProxy, PatchProxy, Proxy } from '../models/proxy.ts';
import { PatchableResource } from './resource.ts';

/** `configuration` of proxies passes unconverted. */
export class Proxies extends PatchableResource<Proxy, CreateProxy, CreateProxy, PatchProxy, NamedQuery> {
  constructor(send: Send) {
    super(send, '/proxies', configured);
  }
}
