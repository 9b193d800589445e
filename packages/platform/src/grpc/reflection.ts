import type { Server } from '@grpc/grpc-js';

export interface ReflectionOptions {
  /** Directory of the imports in the proto files. */
  readonly protoDir: string;
  /** Relative to it, e.g. `vault/v1/vault.proto`. */
  readonly protoFiles: readonly string[];
}

/** Start of the paths of both versions of the reflection service. */
export const reflectionPath = '/grpc.reflection.';

/**
 * Serves the contracts to tools (gRPC Server Reflection Protocol, v1 and v1alpha). The parsers are loaded only here,
 * so a server without reflection does not pay for them.
 */
export async function addReflection(server: Server, options: ReflectionOptions): Promise<void> {
  const [{ load }, { ReflectionService }] = await Promise.all([
    import('@grpc/proto-loader'),
    import('@grpc/reflection'),
  ]);
  const definition = await load([...options.protoFiles], { includeDirs: [options.protoDir] });
  new ReflectionService(definition).addToServer(server);
}
