const clientVersion = '0.2.0';

/** Identifies the program that uses this client. */
export interface AppInfo {
  readonly name: string;
  readonly version?: string | undefined;
  readonly url?: string | undefined;
}

interface NodeProcess {
  readonly version: string;
  readonly platform: string;
}

/** The headers that identify the client. Browsers send their own user agent. */
export function userAgentHeaders(appInfo: AppInfo | undefined): Record<string, string> {
  const { process: node }: { process?: NodeProcess } = globalThis;
  const details = {
    client: 'glovebox-js',
    client_version: clientVersion,
    os_version: node?.platform,
    runtime_version: node?.version,
    application: appInfo,
  };
  const headers = { 'SVC-CLIENT-USER-AGENT': printable(JSON.stringify(details)) };
  if (node?.version === undefined) return headers;
  const app = [appInfo?.name, appInfo?.version, appInfo?.url].filter((part) => part !== undefined);
  const suffix = app.length === 0 ? '' : ` (${app.join('; ')})`;
  return { ...headers, 'User-Agent': printable(`GloveboxJS/${clientVersion}${suffix}`) };
}

/** Headers allow only visible ASCII. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
