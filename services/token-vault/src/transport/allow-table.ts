import type { AllowTable } from '@glovebox/platform/grpc/authorize';
import { VaultServiceService as methods } from '@glovebox/protos/vault/v1/vault';

/** Which service may call which method. control-api gets masks for people, and plaintext only from revealToken. */
export const allowTable: AllowTable = {
  [methods.exchange.path]: ['proxy-gateway', 'reactor-runner'],
  [methods.seal.path]: ['control-api', 'reactor-runner'],
  [methods.standIn.path]: ['reactor-runner'],
  [methods.open.path]: ['control-api', 'proxy-gateway', 'reactor-runner'],
  [methods.listAudit.path]: ['control-api'],
  [methods.signExport.path]: ['control-api'],
  [methods.listAuditKeys.path]: ['control-api'],
  [methods.eraseTenant.path]: ['control-api'],
  [methods.reportUsage.path]: ['control-api'],
  [methods.reportOperations.path]: ['control-api'],
  [methods.getSealState.path]: ['proxy-gateway', 'reactor-runner'],
  [methods.reseal.path]: ['control-api'],
  [methods.reportEgress.path]: ['proxy-gateway', 'reactor-runner'],
  [methods.reportLeak.path]: ['proxy-gateway', 'reactor-runner'],
  [methods.listTokensForPerson.path]: ['control-api'],
  [methods.listContainers.path]: ['control-api'],
  [methods.revealToken.path]: ['control-api'],
  [methods.reportKeys.path]: ['control-api'],
  [methods.reportTraffic.path]: ['proxy-gateway', 'reactor-runner'],
  [methods.listTraffic.path]: ['control-api'],
};
