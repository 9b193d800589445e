import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { ofKind, readManifests } from './harness/manifests.ts';
import { mainContainer, workloadsOf } from './harness/workloads.ts';

describe('the page about sizing', () => {
  it('shows what the pods of prod ask for, and how many there are', () => {
    const manifests = readManifests('prod');
    const scalers = ofKind(manifests, 'HorizontalPodAutoscaler') as unknown as {
      metadata: { name: string };
      spec: { minReplicas: number; maxReplicas: number };
    }[];
    const deployments = ofKind(manifests, 'Deployment') as unknown as {
      metadata: { name: string };
      spec: { replicas?: number };
    }[];
    const podsOf = (service: string) => {
      const scaler = scalers.find(({ metadata }) => metadata.name === service)?.spec;
      if (scaler !== undefined) return `${scaler.minReplicas} to ${scaler.maxReplicas}`;
      return String(deployments.find(({ metadata }) => metadata.name === service)?.spec.replicas);
    };
    const rows = serviceNames.toSorted().map((service) => {
      const { requests, limits } = mainContainer(
        workloadsOf(manifests).find(({ name }) => name === service)!,
      ).resources!;
      const asked = (name: string) => `${requests?.[name]}, ${limits?.[name]}`;
      return [`\`${service}\``, podsOf(service), asked('cpu'), asked('memory')];
    });
    const page = readFileSync(join(checkout, 'docs/operate/sizing.md'), 'utf8');
    const shown = [...page.matchAll(/^\| (`[a-z-]+`) .*$/gm)].map(([row]) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(shown).to.deep.equal(rows);
  });
});
