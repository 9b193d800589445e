import { globSync } from 'node:fs';
import { join } from 'node:path';

import {
  type ChannelCredentials,
  Client,
  Metadata,
  type MethodDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

import { checkout } from './places.ts';
import { StartProblem } from './problem.ts';

export interface CallOptions {
  /** `host:port`. */
  readonly address: string;
  /** Of the calling service. */
  readonly token: string;
  readonly credentials: ChannelCredentials;
  readonly service: string;
  /** `Method`, or `package.Service/Method`. */
  readonly method: string;
  /** Start of the packages to search for a short name. */
  readonly package: string;
  readonly requests: readonly object[];
}

type Method = MethodDefinition<object, object>;

const callTimeoutMs = 30_000;
/** A stream is open-ended: silence for so long after the last response ends the call. */
const silenceMs = 1_000;

/**
 * Calls a method that is known from the .proto files only.
 * @returns its responses
 * @throws StartProblem when there is no such method, the request doesn't fit it, or the call fails
 */
export async function callMethod(options: CallOptions): Promise<object[]> {
  const method = findMethod(options);
  const client = new Client(options.address, options.credentials, {
    // TLS takes no address as a name; the check of the certificate looks at the service's identity instead.
    'grpc.ssl_target_name_override': options.service,
  });
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${options.token}`);
  try {
    return await (method.requestStream || method.responseStream
      ? exchange(client, method, metadata, options.requests)
      : [await callOnce(client, method, metadata, options.requests)]);
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    const { code, details, message } = error as Partial<ServiceError> & Error;
    const name = code === undefined ? 'the request does not fit' : (status[code] ?? String(code));
    throw new StartProblem(`${name}: ${details ?? message}`, `Method: ${method.path}`);
  } finally {
    client.close();
  }
}

function findMethod(options: CallOptions): Method {
  const root = join(checkout, 'protos');
  const files = globSync('**/*.proto', { cwd: root, exclude: ['node_modules/**'] });
  const definitions = loadSync(files, {
    includeDirs: [root],
    keepCase: true,
    longs: String,
    enums: String,
    bytes: String,
    oneofs: false,
  });
  const methods = Object.values(definitions)
    .filter((definition) => !('format' in definition))
    .flatMap((service) => Object.values(service) as Method[]);
  const wanted = options.method.replace(/^\//, '');
  const found = methods.find(({ path }) =>
    wanted.includes('/')
      ? path === `/${wanted}`
      : path.startsWith(`/${options.package}`) && path.endsWith(`/${wanted}`),
  );
  if (found !== undefined) return found;
  const known = methods.map(({ path }) => path.slice(1)).join('\n  ');
  throw new StartProblem(`there is no method ${wanted}`, `These are known:\n  ${known}`);
}

function callOnce(
  client: Client,
  method: Method,
  metadata: Metadata,
  requests: readonly object[],
): Promise<object> {
  const [request] = requests;
  if (request === undefined || requests.length > 1) {
    throw new StartProblem(`${method.path} takes one request`, 'Give one JSON object.');
  }
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline: Date.now() + callTimeoutMs },
      (error, reply) => {
        if (error) reject(error);
        else resolve(reply ?? {});
      },
    );
  });
}

/** Sends all requests and collects responses until the service ends the stream or falls silent. */
function exchange(
  client: Client,
  method: Method,
  metadata: Metadata,
  requests: readonly object[],
): Promise<object[]> {
  const { path, requestSerialize, responseDeserialize } = method;
  const deadline = Date.now() + callTimeoutMs;
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, {
    deadline,
  });
  const replies: object[] = [];
  return new Promise((resolve, reject) => {
    let silence: NodeJS.Timeout | undefined;
    const done = () => {
      clearTimeout(silence);
      call.cancel();
      resolve(replies);
    };
    call.on('data', (reply: object) => {
      replies.push(reply);
      clearTimeout(silence);
      silence = setTimeout(done, silenceMs);
    });
    call.on('end', done);
    call.on('error', (error) => {
      clearTimeout(silence);
      reject(error);
    });
    for (const request of requests) call.write(request);
    // A method with one request ends it. A stream stays open, since its end may end open calls.
    if (!method.requestStream) call.end();
  });
}
