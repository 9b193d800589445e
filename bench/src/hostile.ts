import { apiOf } from '../../test/harness/api.ts';
import { startDestination } from '../../test/harness/destination.ts';
import { startSystem } from '../../test/harness/system.ts';
import { createDocuments } from './hostile/documents.ts';
import { type HostileRequest, hostileRequests } from './hostile/requests.ts';
import { cpuOf } from './measure/cpu.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';

/** No request of 10 KB may take more of a process that all tenants share. */
const goalMs = 50;
const mostBytes = 10_240;
/** Linux counts CPU time in ticks of 10 ms. */
const times = 15;

interface Taken {
  readonly group: string;
  readonly name: string;
  readonly status: number;
  /** Milliseconds of CPU of one request. */
  readonly vaultMs: number;
  readonly gatewayMs: number;
}

/** Sends the worst requests of 10 KB that we know, one after the other, and tells what each takes of the vault and the gateway. */
export async function run(): Promise<void> {
  await using system = await startSystem();
  await using destination = await startDestination();
  const api = apiOf(system);
  const documents = await createDocuments(api);
  const { key: proxyKey } = await api.proxy(destination.url);
  const pidOf = (name: string) => system.dev.processes.find((one) => one.name === name)?.pid ?? 0;
  const [vault, gateway] = [pidOf('token-vault'), pidOf('proxy-gateway')];
  const base = system.dev.service_urls['proxy-gateway']!;
  const keys = { 'SVC-API-KEY': system.dev.private_api_key, 'SVC-PROXY-KEY': String(proxyKey) };

  const measure = async (request: HostileRequest): Promise<Taken> => {
    const { group, name } = request;
    await send(base, keys, request);
    const before = [cpuOf([vault]), cpuOf([gateway])] as const;
    let status = 0;
    for (let time = 0; time < times; time += 1) status = await send(base, keys, request);
    const perRequest = (pid: number, since: number) => (cpuOf([pid]) - since) / 1000 / times;
    return {
      group,
      name,
      status,
      vaultMs: perRequest(vault, before[0]),
      gatewayMs: perRequest(gateway, before[1]),
    };
  };

  const all: Taken[] = [];
  for (const request of hostileRequests(documents, process.argv[3])) {
    const taken = await measure(request);
    all.push(taken);
    console.log(`  ${taken.vaultMs.toFixed(1)} ${taken.gatewayMs.toFixed(1)} ${taken.status} ${taken.name}`);
  }
  reportResults('hostile', [worstOfEach(all)], { goalMs, all });
}

async function send(
  origin: string,
  keys: Readonly<Record<string, string>>,
  { method, path, headers, body }: HostileRequest,
): Promise<number> {
  const content = body();
  const size = content.length + JSON.stringify(headers).length;
  if (size > mostBytes) throw new Error(`a request of ${size} bytes is none of 10 KB`);
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { ...keys, ...headers },
    body: method === 'GET' ? null : new Uint8Array(content),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function worstOfEach(all: readonly Taken[]): string {
  const rows = [...Map.groupBy(all, ({ group }) => group)].map(([group, taken]) => {
    const worst = (of: (one: Taken) => number) => taken.toSorted((a, b) => of(b) - of(a))[0]!;
    const [vault, gateway] = [worst(({ vaultMs }) => vaultMs), worst(({ gatewayMs }) => gatewayMs)];
    const reached = Math.max(vault.vaultMs, gateway.gatewayMs) <= goalMs;
    return [
      group,
      vault.vaultMs.toFixed(1),
      gateway.gatewayMs.toFixed(1),
      vault.name.slice(0, 60),
      reached ? 'reached' : 'MISSED',
    ];
  });
  return table(['worst of each kind, ms of CPU', 'vault', 'gateway', 'of the vault: which', '50 ms'], rows);
}
