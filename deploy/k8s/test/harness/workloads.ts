import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';

import { type Labels, type Manifest, ofKind } from './manifests.ts';

export type Container = IContainer;

/** What starts pods, by what the tests want to know of it. */
export interface Workload {
  readonly name: string;
  readonly kind: string;
  readonly manifest: Manifest;
  readonly labels: Labels;
  readonly pod: IPodSpec;
  /** With those that run before the others. */
  readonly containers: readonly Container[];
}

type DeploymentSpec = NonNullable<IDeployment['spec']>;

export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return ofKind(manifests, 'Deployment', 'StatefulSet', 'Job', 'CronJob').map((manifest) => {
    const { template } = specOf(manifest) as unknown as DeploymentSpec;
    const pod = template.spec as IPodSpec;
    return {
      name: manifest.metadata.name,
      kind: manifest.kind,
      manifest,
      labels: template.metadata?.labels ?? {},
      pod,
      containers: [...(pod.initContainers ?? []), ...pod.containers],
    };
  });
}

/** Of a CronJob that of the Jobs that it makes. */
function specOf({ kind, spec = {} }: Manifest): Manifest['spec'] {
  return kind === 'CronJob' ? (spec['jobTemplate'] as Manifest).spec : spec;
}

/** Whether it runs to its end, and so serves nothing. */
export function runsToItsEnd({ kind }: Workload): boolean {
  return kind === 'Job' || kind === 'CronJob';
}

/** The container that a workload is about. */
export function mainContainer(workload: Workload): Container {
  return workload.pod.containers[0] as Container;
}

/** A setting as it is in the manifest. */
export function literal(container: Container, name: string): string | undefined {
  return container.env?.find((entry) => entry.name === name)?.value;
}

/** Of quantities such as `500m`, `4`, `512Mi`, `1Gi`: cores, or bytes. */
export function quantity(value: string | number | undefined): number {
  const [, digits, unit = ''] = /^([\d.]+)(m|Ki|Mi|Gi)?$/.exec(String(value ?? '')) ?? [];
  if (digits === undefined) return Number.NaN;
  return Number(digits) * { '': 1, m: 0.001, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[unit]!;
}

/** What the autoscalers ask of the pods themselves. */
export function scalingMetrics(manifests: readonly Manifest[]): readonly string[] {
  return ofKind(manifests, 'HorizontalPodAutoscaler').flatMap((manifest) => {
    const { metrics = [] } = manifest.spec as unknown as NonNullable<IHorizontalPodAutoscaler['spec']>;
    return metrics.flatMap(({ pods }) => (pods === undefined ? [] : [pods.metric.name]));
  });
}
