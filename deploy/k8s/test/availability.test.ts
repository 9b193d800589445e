import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { readManifests } from './harness/manifests.ts';
import { workloadsOf } from './harness/workloads.ts';

describe('in prod, when something of the cluster is away', () => {
  const services = workloadsOf(readManifests('prod')).filter(({ name }) =>
    (serviceNames as readonly string[]).includes(name),
  );

  it('the other zones take the pods of one that is', () => {
    for (const { name, pod } of services) {
      const [zones, nodes] = pod.topologySpreadConstraints ?? [];
      // By default a zone whose nodes take no pods counts as empty, and would bound each other one at one pod.
      expect(zones, name).to.include({ whenUnsatisfiable: 'DoNotSchedule', nodeTaintsPolicy: 'Honor' });
      expect(nodes?.whenUnsatisfiable, name).to.equal('ScheduleAnyway');
    }
  });
});
