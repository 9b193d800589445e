import { shownFields } from '../fields/column.ts';
import { readDefinition, versionedFields } from '../versions/definition.ts';
import type { VersionedKind } from '../versions/kind.ts';
import { versionTable } from '../versions/version-table.ts';
import { shownDestinationTls } from './destination-tls.ts';
import { proxyFields, transformsOf } from './fields.ts';
import { shownTransforms } from './transforms.ts';

const fields = versionedFields(proxyFields);

export const proxyVersions: VersionedKind = {
  name: 'proxy',
  ...versionTable({
    table: 'proxy_versions',
    from: 'proxies r',
    fields: proxyFields,
    version: 'r.version',
    rollouts: 'proxy_rollouts',
  }),
  show(stored, marks) {
    const definition = readDefinition(proxyFields, stored);
    const { request, response } = transformsOf(definition);
    return shownFields(fields, definition, {
      destination_tls: shownDestinationTls(definition.destination_tls),
      ...shownTransforms('request', request),
      ...shownTransforms('response', response),
      configuration: definition.sealed_configuration === null ? undefined : marks,
    });
  },
};
