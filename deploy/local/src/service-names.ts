/** The four services. They end last to first: a service outlives its callers. */
export const serviceNames = ['token-vault', 'reactor-runner', 'control-api', 'proxy-gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Every port that the system listens on, besides the public one. */
export const portNames = [
  'postgres',
  'redis',
  'token-vault',
  'token-vault-metrics',
  'reactor-runner',
  'reactor-runner-metrics',
  'control-api',
  'control-api-metrics',
  'proxy-gateway',
  'proxy-gateway-metrics',
  'destination',
] as const;
export type PortName = (typeof portNames)[number];
