import { apiOf } from '../../../test/harness/api.ts';
import type { System } from '../../../test/harness/system.ts';
import type { LoadTarget } from '../measure/load.ts';

const bodyBytes = 500;
const json = { 'Content-Type': 'application/json' };

/** A request as all contenders get it; the gateway needs its two keys besides. */
export function plainRequest(port: number): LoadTarget {
  return { port, path: '/charges', headers: json, body: bodyWith('4242424242424242') };
}

/** How the gateway is asked to do the same, with and without a token in the body. */
export interface GatewayRequests {
  plain(port: number): LoadTarget;
  oneToken(port: number): LoadTarget;
}

export async function createGatewayRequests(
  system: System,
  destinationPort: number,
): Promise<GatewayRequests> {
  const api = apiOf(system);
  const proxy = await api.proxy(`http://localhost:${destinationPort}`);
  const token = await api.token({ type: 'token', data: '4242424242424242' });
  const headers = { ...json, 'SVC-API-KEY': system.dev.private_api_key, 'SVC-PROXY-KEY': proxy.key };
  const request = (port: number, card: string) => ({
    port,
    path: '/proxy/charges',
    headers,
    body: bodyWith(card),
  });
  return {
    plain: (port) => request(port, '4242424242424242'),
    oneToken: (port) => request(port, `{{${token}}}`),
  };
}

/** One try before any load: what does not work must not be measured. */
export async function requireSuccess(name: string, target: LoadTarget): Promise<void> {
  const { port, path, headers, body } = target;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${name} answers ${answer.status}: ${text}`);
}

function bodyWith(card: string): string {
  const order = { card, amount: 1099, currency: 'EUR', reference: 'bench', note: '' };
  const rest = bodyBytes - Buffer.byteLength(JSON.stringify(order));
  return JSON.stringify({ ...order, note: 'x'.repeat(rest) });
}
