import { encrypt, encryptedHeader } from '../encrypt.ts';
import { type Visit, cvc, pan, text } from './canary.ts';

/** What only the vault should ever see in plain: opened, and refused for what is in it. */
export async function useClientEncryption(visit: Visit, proxyKey: string): Promise<void> {
  const { api, key } = visit;
  const { json: clientKey } = await api.manage('POST', '/keys');
  for (const data of [{ number: pan, cvc, text }, { number: `${pan}1`, text }, text]) {
    const request = { type: 'card', encrypted: await encrypt(clientKey, data) };
    await api.send('POST', '/tokens', { key, body: request });
    await api.send('POST', '/tokens', { key, body: { ...request, type: 'token' } });
    await api.send('POST', '/tokenize', { key, body: [request, { ...request, type: 'card_number' }] });
    const headers = { 'SVC-ENCRYPTED': encryptedHeader(request) };
    for (const expression of ["encrypted | json: '$.data'", 'encrypted.data | to_number', 'encrypted'])
      await api.invoke(proxyKey, 'POST', '', { headers, body: { a: `{{ ${expression} }}` } });
  }
}
