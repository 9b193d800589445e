import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { SecureContextOptions } from 'node:tls';

import { ConfigError } from '../settings/config-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import { Gauge, type MetricsRegistry } from '../telemetry/metrics.ts';
import { type CertificateSet, readCertificates } from './read-certificates.ts';
import type { GrpcTlsConfig } from './tls-settings.ts';

export interface CertificatesOptions {
  readonly config: GrpcTlsConfig;
  /** The service that the certificate must name. */
  readonly service: string;
  readonly logger: Logger;
  /** Gets the metric of the certificate's expiry. */
  readonly metrics?: MetricsRegistry;
  /** Time between two reads of the files without a change event. */
  readonly pollMs?: number;
}

/** This service's certificates. They are read again whenever their files change. */
export interface Certificates extends Disposable {
  /** For new connections. */
  readonly current: SecureContextOptions;
  /** Expiry of the certificate, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly identityPrefix: string;
  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/**
 * Without a configuration there are none, and calls are plaintext.
 * @throws ConfigError when the files can't be read, do not fit together, or are another service's
 */
export async function openCertificates(options: CertificatesOptions): Promise<Certificates>;
export async function openCertificates(
  options: Omit<CertificatesOptions, 'config'> & { readonly config: GrpcTlsConfig | undefined },
): Promise<Certificates | undefined>;
export async function openCertificates(
  options: Omit<CertificatesOptions, 'config'> & { readonly config: GrpcTlsConfig | undefined },
): Promise<Certificates | undefined> {
  const { config, service, metrics } = options;
  if (config === undefined) return undefined;
  const certificates = new CertificateFiles({ ...options, config }, await readCertificates(config, service));
  if (metrics !== undefined) reportExpiry(certificates, metrics);
  return certificates;
}

function reportExpiry(certificates: Certificates, metrics: MetricsRegistry): void {
  const gauge: Gauge = new Gauge({
    name: 'glovebox_grpc_certificate_expires_at_seconds',
    help: 'When the certificate for calls between services ends, in seconds since the epoch',
    registers: [metrics],
    collect: () => gauge.set(certificates.expiresAt / 1000),
  });
}

/** The first change event may come before all files are written. */
const settleMs = 100;

class CertificateFiles implements Certificates {
  readonly identityPrefix: string;
  readonly #options: CertificatesOptions;
  readonly #listeners = new Set<() => void>();
  readonly #watchers: readonly FSWatcher[];
  readonly #poll: NodeJS.Timeout;
  #settling: NodeJS.Timeout | undefined;
  #set: CertificateSet;
  #complaint: string | undefined;

  constructor(options: CertificatesOptions, first: CertificateSet) {
    this.#options = options;
    this.#set = first;
    this.identityPrefix = options.config.identityPrefix;
    const { caFile, certFile, keyFile } = options.config;
    // Kubernetes swaps a link beside the files, so their folders are watched.
    const folders = new Set([caFile, certFile, keyFile].map((file) => dirname(file)));
    this.#watchers = [...folders].flatMap((folder) => this.#watch(folder));
    this.#poll = setInterval(() => void this.#reload(), options.pollMs ?? 30_000).unref();
  }

  get current(): SecureContextOptions {
    return this.#set.context;
  }

  get expiresAt(): number {
    return this.#set.expiresAt;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers) watcher.close();
    clearInterval(this.#poll);
    clearTimeout(this.#settling);
    this.#listeners.clear();
  }

  #watch(folder: string): FSWatcher[] {
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        clearTimeout(this.#settling);
        this.#settling = setTimeout(() => void this.#reload(), settleMs);
      });
      return [
        watcher.on('error', (err) => this.#options.logger.warn({ err, folder }, 'not watched any more')),
      ];
    } catch (err) {
      // E.g. the user's limit of watches. The files are still read regularly.
      this.#options.logger.warn({ err, folder }, 'cannot be watched');
      return [];
    }
  }

  /** Files that are wrong stay unused: the other half of a change follows, and the current ones go on serving. */
  async #reload(): Promise<void> {
    const { config, service, logger } = this.#options;
    try {
      const set = await readCertificates(config, service);
      this.#complaint = undefined;
      if (set.digest === this.#set.digest) return;
      this.#set = set;
      logger.info({ expiresAt: new Date(set.expiresAt).toISOString() }, 'loaded new certificates');
      for (const listener of this.#listeners) listener();
    } catch (error) {
      const reason = error instanceof ConfigError ? error.problems.join('; ') : String(error);
      if (reason !== this.#complaint) logger.warn({ reason }, 'kept the previous certificates');
      this.#complaint = reason;
    }
  }
}
