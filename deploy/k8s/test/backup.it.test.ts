import { execFileSync } from 'node:child_process';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';
import type { ICronJob } from 'kubernetes-models/batch/v1/CronJob';

import { developmentSecrets } from '../src/development-secrets.ts';
import { overlays } from '../src/rendering.ts';
import { readAlerts } from './harness/expressions.ts';
import { type Manifest, ofKind, readManifests } from './harness/manifests.ts';
import { type Workload, mainContainer, workloadsOf } from './harness/workloads.ts';

const cli = 'deploy/operator/src/cli.ts';

/** The exit code of the operator's command line, which is given no database. */
function exitCodeOf(args: readonly string[]): number {
  try {
    execFileSync(process.execPath, ['--conditions=source', cli, ...args], {
      cwd: checkout,
      env: {},
      stdio: 'pipe',
    });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

const settingMissing = 78;

for (const overlay of overlays) {
  describe(`the backup of ${overlay}`, () => {
    const manifests = readManifests(overlay);
    const workloads = workloadsOf(manifests);
    const backup = workloads.find(({ name }) => name === 'backup') as Workload;
    const container = mainContainer(backup);
    const { spec } = backup.manifest as unknown as { spec: NonNullable<ICronJob['spec']> };

    it('runs once a day, at a time that no change of clocks moves, and only where there is a place for it', () => {
      expect(spec).to.include({ schedule: '17 2 * * *', timeZone: 'Etc/UTC', suspend: overlay === 'dev' });
    });

    it('runs one at a time, within limits of time, and keeps the last runs to be looked at', () => {
      expect(spec).to.include({ concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 3600 });
      expect(spec).to.include({ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 3 });
      const job = spec.jobTemplate.spec;
      expect(job?.backoffLimit).to.be.within(1, 3);
      expect(job?.activeDeadlineSeconds).to.be.within(600, 12 * 3600);
      expect(job?.template.spec?.restartPolicy).to.equal('Never');
    });

    it('is the command line of the operator, in words that it takes, and keeps more than one', () => {
      expect(container.image).to.match(/\/glovebox\/operator[:@]/);
      expect(container.command).to.equal(undefined);
      expect(exitCodeOf(container.args ?? [])).to.equal(settingMissing);
      expect(Number(container.args?.at(-1))).to.be.at.least(7);
    });

    it('holds the two URLs of a Secret of its own, and nothing else: no key, no token, no Redis', () => {
      expect(container.envFrom).to.equal(undefined);
      const references = container.env?.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef]);
      expect(references).to.deep.equal(
        ['CONTROL_DATABASE_URL', 'VAULT_DATABASE_URL'].map((key) => [key, { name: 'backup', key }]),
      );
      const readers = workloads.filter(({ containers }) =>
        containers.some(({ env = [] }) =>
          env.some(({ valueFrom }) => valueFrom?.secretKeyRef?.name === 'backup'),
        ),
      );
      expect(readers.map(({ name }) => name)).to.deep.equal(['backup']);
      expect(backup.pod.volumes?.map(({ name }) => name)).to.deep.equal(['backups']);
    });

    it('writes to a claim by reference, as a group that may write there', () => {
      const [volume] = backup.pod.volumes ?? [];
      expect(volume?.persistentVolumeClaim).to.deep.equal({ claimName: 'backups' });
      expect(backup.pod.securityContext?.fsGroup).to.equal(65_532);
      expect(container.volumeMounts).to.deep.equal([{ name: 'backups', mountPath: container.args?.[1] }]);
      const claims = ofKind(manifests, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
      expect(claims).to.deep.equal(overlay === 'dev' ? ['backups'] : []);
    });
  });
}

describe('the alert on backups', () => {
  it('looks at the CronJob that there is, in its namespace, and gives it more than a day', () => {
    const { expr = '' } = readAlerts().find(({ alert }) => alert === 'BackupMissing') ?? {};
    const [cronJob] = ofKind(readManifests('prod'), 'CronJob');
    const { name, namespace } = cronJob!.metadata;
    const selectors = [...expr.matchAll(/\{[^}]*\}/g)].map(([selector]) => selector);
    expect(new Set(selectors)).to.deep.equal(new Set([`{namespace="${namespace}", cronjob="${name}"}`]));
    expect(Number(/> (\d+) \* 3600/.exec(expr)?.[1])).to.be.within(25, 48);
  });
});

describe('the restore', () => {
  const manifests = readManifests('restore');
  const [job] = workloadsOf(manifests) as [Workload];
  const { jobTemplate } = ofKind(readManifests('prod'), 'CronJob')[0]!.spec as {
    jobTemplate: Manifest;
  };

  it('is a pod like that of production’s backup, which reads a Secret of its own and cannot write to the backups', () => {
    const [backup] = workloadsOf([{ ...jobTemplate, kind: 'Job', metadata: { name: 'backup' } }]);
    const [mount] = mainContainer(backup!).volumeMounts ?? [];
    const expected = {
      ...backup!.pod,
      containers: [
        {
          ...mainContainer(backup!),
          name: 'restore',
          args: mainContainer(job).args,
          env: JSON.parse(
            JSON.stringify(mainContainer(backup!).env).replaceAll('"backup"', '"restore"'),
          ) as unknown,
          volumeMounts: [{ ...mount, readOnly: true }],
        },
      ],
    };
    expect(job.pod).to.deep.equal(expected);
    expect(job.labels).to.deep.equal(backup!.labels);
  });

  it('is tried once: a second attempt would find what the first one has filled', () => {
    expect(job.manifest.spec).to.include({ backoffLimit: 0 });
    expect(job.manifest.spec?.['activeDeadlineSeconds']).to.be.greaterThan(0);
  });

  it('is said in words that the command line takes', () => {
    expect(mainContainer(job).args?.[0]).to.equal('restore');
    expect(exitCodeOf(mainContainer(job).args ?? [])).to.equal(settingMissing);
  });

  it('is of no overlay, and no Secret for it is lying about', () => {
    for (const overlay of overlays) {
      expect(workloadsOf(readManifests(overlay)).map(({ name }) => name)).to.not.include('restore');
    }
    expect(developmentSecrets().map(({ metadata }) => metadata.name)).to.not.include('restore');
  });
});
