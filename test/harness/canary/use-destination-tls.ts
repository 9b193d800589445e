import { startDestination } from '../destination.ts';
import { tlsEstate } from '../tls-estate.ts';
import { type Visit, pan } from './canary.ts';

/** Client keys that are stored, used, refused and replaced. */
export async function useDestinationTls({ api, secrets }: Visit, token: string): Promise<void> {
  const { ca, demanding, otherPin, client } = await tlsEstate();
  await using destination = await startDestination(demanding);
  const own = await client('urn:canary');
  const { client_key: key } = own;
  // Its second line: all of the private key is in this and the one before.
  secrets['clientKeyText'] = key.split('\n')[1]!;
  const { id, key: proxyKey } = await api.proxy(destination.url, { destination_tls: { ...own, ca } });
  const body = { pan: `{{ ${token} | json: '$.deep[0].text' }}` };
  await api.invoke(proxyKey, 'POST', '', { body });
  if (destination.received.length === 0) throw new Error('the client key was not used');
  for (const destination_tls of [
    { ...own, ca, pins: [otherPin] },
    { ...own, client_certificate: ca },
    { ...own, client_certificate: key },
    { ...own, client_key: `${key}${pan}`, ca: key },
    { ...own, client_key: [key], pins: [key] },
  ]) {
    const whole = { name: 'canary', destination_url: destination.url, destination_tls };
    await api.manage('PUT', `/proxies/${id}`, whole);
    await api.invoke(proxyKey, 'POST', '', { body });
  }
}
