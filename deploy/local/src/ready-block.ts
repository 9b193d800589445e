import type { DevelopmentTenant } from './settings.ts';

export interface ReadyBlock {
  readonly baseUrl: string;
  readonly destinationUrl: string;
  readonly tenant: DevelopmentTenant;
  readonly stateDir: string;
  readonly strict: boolean;
  /** Of the stores, e.g. `Redis 7.0.15 (of this machine)`. */
  readonly stores: readonly string[];
  /** What is missing although all services are ready. */
  readonly notes: readonly string[];
  readonly seconds: string;
}

/** The summary at the end of `npm start`: what runs, and what to paste. */
export function readyBlock(block: ReadyBlock): string {
  const { tenant, baseUrl } = block;
  const json = `-H 'Content-Type: application/json'`;
  return `
Glovebox is ready at ${baseUrl} (${block.seconds})
${block.stores.map((store) => `  ${store}\n`).join('')}  egress rules: ${block.strict ? 'strict' : 'development (http://localhost is allowed)'}
${block.notes.map((note) => `\n  Not complete: ${note}\n`).join('')}
  console          ${baseUrl}/console (sign in with the management key)

  management key   ${tenant.management_api_key}
  private key      ${tenant.private_api_key}
  public key       ${tenant.public_api_key}

Paste this into another terminal. It stores a card number, makes a proxy to ${block.strict ? 'your own server' : 'a small server that answers with'}
${block.strict ? "(https://example.com stands for it: the strict rules refuse this machine's)" : 'what it received (a provider does not)'}, and sends that server a request that holds only the token:

  TOKEN=$(curl -s ${baseUrl}/tokens -H 'SVC-API-KEY: ${tenant.private_api_key}' ${json} \\
    -d '{"type":"token","data":"4242424242424242"}' | sed -n 's/.*[{,]"id":"\\([^"]*\\)".*/\\1/p')
  PROXY=$(curl -s ${baseUrl}/proxies -H 'SVC-API-KEY: ${tenant.management_api_key}' ${json} \\
    -d '{"name":"try it","destination_url":"${block.destinationUrl}"}' | sed -n 's/.*[{,]"key":"\\([^"]*\\)".*/\\1/p')
  echo "sent: {\\"card\\":\\"{{$TOKEN}}\\"}"
  curl -s ${baseUrl}/proxy/charge -H 'SVC-API-KEY: ${tenant.private_api_key}' -H "SVC-PROXY-KEY: $PROXY" ${json} \\
    -d "{\\"card\\":\\"{{$TOKEN}}\\"}"

Keys, addresses and process ids: ${block.stateDir}/dev.json. Another tenant: npm run glovebox -- tenant create NAME
Ctrl-C stops everything; the data is kept.
`;
}
