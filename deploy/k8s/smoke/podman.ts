import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

import { type Container, type Workload, quantity } from '../test/harness/workloads.ts';

const run = promisify(execFile);

/** Why no container can be run here; undefined when podman and the images are there. */
export function whyNot(images: readonly string[]): string | undefined {
  try {
    execFileSync('podman', ['info'], { stdio: 'pipe' });
  } catch {
    return 'podman cannot run here';
  }
  const missing = images.filter((image) => {
    try {
      execFileSync('podman', ['image', 'exists', image], { stdio: 'pipe' });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length === 0
    ? undefined
    : `not built yet: ${missing.join(', ')} (deploy/images/README.md says how)`;
}

export interface Setting {
  /** Instead of what the manifest says, and for what it takes from Secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** By volume: a folder of this machine. */
  readonly folders: Readonly<Record<string, string>>;
}

/** The flags that stand for what a pod and a container say of themselves, as the kubelet would have it. */
export function flagsOf({ pod }: Workload, container: Container, { env, folders }: Setting): string[] {
  const { securityContext: user } = pod;
  const { securityContext, resources, volumeMounts = [], command = [], args = [] } = container;
  const settings = { ...literals(container), ...env };
  return [
    '--network=host',
    `--user=${user?.runAsUser}:${user?.runAsGroup}`,
    ...(securityContext?.readOnlyRootFilesystem ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(securityContext?.allowPrivilegeEscalation === false ? ['--security-opt=no-new-privileges'] : []),
    ...(securityContext?.capabilities?.drop ?? []).map((name) => `--cap-drop=${name}`),
    `--memory=${quantity(resources?.limits?.['memory'])}`,
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
    ...volumeMounts.map(({ name, mountPath, readOnly }) => {
      const folder = folders[name];
      if (folder === undefined) throw new Error(`no folder stands for the volume ${name}`);
      return `--volume=${folder}:${mountPath}${readOnly ? ':ro' : ''}`;
    }),
    ...(command.length > 0 ? [`--entrypoint=${JSON.stringify(command)}`] : []),
    container.image as string,
    ...args,
  ];
}

/** Runs a container to its end. @throws Error with what it complained about. */
export async function runToEnd(flags: readonly string[]): Promise<string> {
  return (await run('podman', ['run', '--rm', ...flags])).stdout;
}

/** Starts a container. The name is this process's own. */
export async function start(name: string, flags: readonly string[]): Promise<AsyncDisposable> {
  const full = `glovebox-smoke-${process.pid}-${name}`;
  await run('podman', ['run', '--detach', `--name=${full}`, ...flags]);
  return {
    async [Symbol.asyncDispose]() {
      await run('podman', ['rm', '--force', '--time=60', full]);
    },
  };
}

export async function logsOf(name: string): Promise<string> {
  const { stdout, stderr } = await run('podman', ['logs', `glovebox-smoke-${process.pid}-${name}`]);
  return stdout + stderr;
}

function literals({ env = [] }: Container): Record<string, string> {
  return Object.fromEntries(
    env.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value!]),
  );
}
