import { checkout, stateDirectory } from './places.ts';
import { freePort } from './ports.ts';
import { StartProblem } from './problem.ts';
import { type EgressProfile, passedOnVariables } from './service-env.ts';

/** Options of `npm start`, from the environment and the command line. */
export interface StartOptions {
  readonly checkout: string;
  readonly stateDir: string;
  /** Of the one public address. */
  readonly port: number;
  readonly hosts: readonly string[];
  readonly baseUrl: string;
  readonly egressProfile: EgressProfile;
  readonly logLevel: string;
  /** Mutual TLS between the services. */
  readonly mutualTls: boolean;
  /** Starts a service again whenever one of its sources changes. */
  readonly watch: boolean;
  readonly databaseUrl: string | undefined;
  /** Existing databases, each with its own credentials. */
  readonly databaseUrls: { readonly control: string; readonly vault: string } | undefined;
  readonly redisUrl: string | undefined;
  readonly passedOn: Readonly<Record<string, string>>;
}

/** @throws StartProblem with every problem */
export async function readStartOptions(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<StartOptions> {
  const problems: string[] = [];
  const port = readPort(env['PORT'], problems);
  const egressProfile = env['EGRESS_PROFILE'] || 'development';
  if (egressProfile !== 'strict' && egressProfile !== 'development') {
    problems.push('EGRESS_PROFILE must be strict or development');
  }
  const control = env['CONTROL_DATABASE_URL'] || undefined;
  const vault = env['VAULT_DATABASE_URL'] || undefined;
  if ((control === undefined) !== (vault === undefined)) {
    problems.push('CONTROL_DATABASE_URL and VAULT_DATABASE_URL must be set both or neither');
  }
  const mutualTls = env['GLOVEBOX_MTLS'] || '0';
  if (mutualTls !== '0' && mutualTls !== '1') problems.push('GLOVEBOX_MTLS must be 0 or 1');
  const unknown = argv.filter((argument) => argument !== '--watch');
  if (unknown.length > 0) problems.push(`unknown argument ${unknown.join(' ')}`);
  if (problems.length > 0)
    throw new StartProblem(problems.join('\n  '), 'Correct the settings and start again.');
  const publicPort = port === 0 ? await freePort() : port;
  const host = env['HOST'] || 'localhost';
  return {
    checkout,
    stateDir: stateDirectory(env),
    port: publicPort,
    hosts: host === 'localhost' ? ['127.0.0.1', '::1'] : [host],
    baseUrl: `http://localhost:${publicPort}`,
    egressProfile: egressProfile as EgressProfile,
    logLevel: env['LOG_LEVEL'] || 'info',
    mutualTls: mutualTls === '1',
    watch: argv.includes('--watch'),
    databaseUrl: env['DATABASE_URL'] || undefined,
    databaseUrls: control === undefined || vault === undefined ? undefined : { control, vault },
    redisUrl: env['REDIS_URL'] || undefined,
    passedOn: passedOnVariables(env),
  };
}

function readPort(text: string | undefined, problems: string[]): number {
  if (text === undefined || text === '') return 8080;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  problems.push('PORT must be a port number from 1 to 65535, or 0 for a free one');
  return 0;
}
