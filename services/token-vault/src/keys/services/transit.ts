import { readFile } from 'node:fs/promises';

import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { KeyProvider, WrappedKey } from '../../crypto/key-provider.ts';
import { KeyServiceError } from './key-service-error.ts';
import type { TransitConfig } from './key-settings.ts';

export const transitScheme = 'transit:';

const maxAnswerLength = 64 * 1024;

/** An answer is untrusted. */
interface Answer {
  readonly data?: { readonly ciphertext?: unknown; readonly plaintext?: unknown } | null;
  readonly errors?: readonly unknown[] | null;
}

/**
 * Wraps data keys by the transit engine of HashiCorp Vault or OpenBao. The key never leaves it and must be of an
 * authenticated kind (aes256-gcm96), because the place of a data key is its associated data. The token is read from
 * its file for each call, so that an agent or a sidecar can renew it.
 */
export function openTransit(config: TransitConfig): KeyProvider {
  return new Transit(config);
}

class Transit implements KeyProvider {
  readonly currentKeyId: string;
  readonly #config: TransitConfig;

  constructor(config: TransitConfig) {
    this.currentKeyId = `${transitScheme}${config.mount}/${config.key}`;
    this.#config = config;
  }

  async wrap(dataKey: Uint8Array, aad: Uint8Array): Promise<WrappedKey> {
    const answer = await this.#ask('encrypt', this.currentKeyId, {
      plaintext: base64(dataKey),
      associated_data: base64(aad),
    });
    return { keyId: this.currentKeyId, wrapped: Buffer.from(textIn(answer, 'ciphertext')) };
  }

  async unwrap(keyId: string, wrapped: Uint8Array, aad: Uint8Array): Promise<Buffer> {
    const answer = await this.#ask('decrypt', keyId, {
      ciphertext: Buffer.from(wrapped).toString(),
      associated_data: base64(aad),
    });
    return Buffer.from(textIn(answer, 'plaintext'), 'base64');
  }

  async #ask(operation: 'encrypt' | 'decrypt', keyId: string, body: object): Promise<Answer> {
    const { address, namespace, tokenFile, timeoutMs } = this.#config;
    const [mount, key] = placeOf(keyId);
    const token = await readToken(tokenFile);
    const response = await fetch(new URL(`/v1/${mount}/${operation}/${encodeURIComponent(key)}`, address), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Vault-Token': token,
        ...(namespace === undefined ? {} : { 'X-Vault-Namespace': namespace }),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new KeyServiceError(`the transit engine at ${address} does not answer`, { cause });
    });
    return answerOf(response, operation);
  }
}

async function answerOf(response: Response, operation: 'encrypt' | 'decrypt'): Promise<Answer> {
  const text = await response.text().catch((cause: unknown) => {
    throw new KeyServiceError('the answer of the transit engine ended early', { cause });
  });
  const answer = text.length <= maxAnswerLength ? parse(text) : {};
  if (response.ok) return answer;
  const [first] = answer.errors ?? [];
  const problem = typeof first === 'string' ? first : '';
  // The ciphertext was moved or changed, or is of another key.
  if (
    operation === 'decrypt' &&
    response.status === 400 &&
    /authentication failed|invalid ciphertext/.test(problem)
  ) {
    throw new IntegrityViolation();
  }
  throw new KeyServiceError(
    `the transit engine answered ${response.status} ${problem.slice(0, 200)}`.trimEnd(),
  );
}

function textIn({ data }: Answer, member: keyof NonNullable<Answer['data']>): string {
  const text = data?.[member];
  if (typeof text === 'string' && text !== '') return text;
  throw new KeyServiceError('the answer of the transit engine does not fit the request');
}

function parse(text: string): Answer {
  try {
    return Object(JSON.parse(text)) as Answer;
  } catch {
    return {};
  }
}

/** The mount may contain slashes, the name of the key may not. */
function placeOf(keyId: string): [mount: string, key: string] {
  const place = keyId.slice(transitScheme.length);
  const end = place.lastIndexOf('/');
  return [place.slice(0, end), place.slice(end + 1)];
}

async function readToken(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KeyServiceError(
      `TRANSIT_TOKEN_FILE ${path} cannot be read (${error.code ?? 'unknown reason'})`,
    );
  });
  const token = text.trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new KeyServiceError(`TRANSIT_TOKEN_FILE ${path} does not hold a token`);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
