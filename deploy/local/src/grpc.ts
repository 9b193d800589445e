/** `npm run grpc -- SERVICE METHOD JSON`: calls one method of a service of the running system, as another service. */
import { parseArgs } from 'node:util';

import { openCertificates } from '@glovebox/platform/grpc/certificates';
import { channelCredentials } from '@glovebox/platform/grpc/credentials';
import { createLogger } from '@glovebox/platform/telemetry/logger';

import { certificateFiles } from './certificates.ts';
import { callMethod } from './grpc-call.ts';
import { StartProblem } from './problem.ts';
import { runTool, runningSystem } from './running-system.ts';
import type { System } from './service-env.ts';
import { type ServiceName, serviceNames } from './service-names.ts';

const usage = `Usage: npm run grpc -- SERVICE METHOD JSON [--as SERVICE]
  SERVICE  token-vault or reactor-runner
  METHOD   e.g. Seal, or in full vault.v1.VaultService/Seal
  JSON     the request, fields as in the .proto file, bytes in base64; an array for a stream of requests
  --as     whose credentials to present, default proxy-gateway
Example: npm run grpc -- token-vault Seal '{}' --as control-api`;

await runTool(async () => {
  const { positionals, values } = readArguments();
  const [service, method, json] = positionals;
  if (method === undefined || json === undefined || positionals.length > 3) {
    throw new StartProblem('three arguments are needed', usage);
  }
  if (service !== 'token-vault' && service !== 'reactor-runner') {
    throw new StartProblem(`${service} does not speak gRPC`, usage);
  }
  if (!isServiceName(values.as)) throw new StartProblem(`there is no service ${values.as}`, usage);
  const system = runningSystem();
  using certificates = await certificatesOf(system, values.as);
  const replies = await callMethod({
    address: `127.0.0.1:${system.ports[service]}`,
    token: system.serviceTokens[values.as],
    credentials: channelCredentials(certificates, service),
    service,
    method,
    package: service === 'token-vault' ? 'vault.' : 'runner.',
    requests: parseRequests(json),
  });
  return replies.map((reply) => `${JSON.stringify(reply, null, 2)}\n`).join('');
});

function certificatesOf({ certificates: folder }: System, service: ServiceName) {
  const config = folder === undefined ? undefined : certificateFiles(folder, service);
  return openCertificates({ config, service, logger: createLogger({ service, level: 'silent' }) });
}

function readArguments() {
  try {
    const options = { as: { type: 'string', default: 'proxy-gateway' } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), usage);
  }
}

function parseRequests(json: string): object[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    throw new StartProblem(`the request is not JSON: ${error instanceof Error ? error.message : ''}`, usage);
  }
  const requests: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (requests.every((request) => typeof request === 'object' && request !== null)) return requests;
  throw new StartProblem('the request must be a JSON object, or an array of them', usage);
}

function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((known) => known === name);
}
