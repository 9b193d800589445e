import { type Visit, configurationSecret, cvc, pan, text } from './canary.ts';
import { findAndChange } from './find-and-change.ts';
import { useBt } from './use-bt.ts';
import { useClientEncryption } from './use-client-encryption.ts';
import { useDestinationTls } from './use-destination-tls.ts';
import { useIdempotencyKeys } from './use-idempotency-keys.ts';
import { useReactors } from './use-reactors.ts';
import { useTransforms } from './use-transforms.ts';

export async function useEveryDoor(visit: Visit): Promise<void> {
  const { api, key, destination, secrets } = visit;
  const application = await api.application({
    name: 'canary',
    type: 'private',
    permissions: ['token:use'],
  });
  secrets['apiKey'] = application.key;
  const proxy = await api.proxy(destination.url, { configuration: { SECRET: configurationSecret } });
  secrets['proxyKey'] = proxy.key;
  const down = await api.proxy('http://localhost:1', { configuration: { SECRET: configurationSecret } });
  const card = await api.token({
    type: 'card',
    data: { number: pan, expiration_month: 1, expiration_year: 2031, cvc },
  });
  const number = await api.token({ type: 'token', data: Number(pan) });
  const free = await api.token({
    type: 'token',
    data: { deep: [{ text }] },
    search_indexes: ['{{ data.deep[0].text }}'],
  });
  await api.send('POST', '/tokenize', {
    key,
    body: { a: pan, b: [text, { type: 'card_number', data: pan }] },
  });
  await api.send('GET', `/tokens/${card}`, { key });
  for (const proxyKey of [proxy.key, down.key]) {
    const body = { card: `{{${card}}}`, n: `{{${number}}}`, t: `{{ ${free} | json: '$.deep[0].text' }}` };
    await api.invoke(proxyKey, 'POST', '', { key: application.key, body });
    await api.invoke(proxyKey, 'POST', '', { body: { t: `{{ ${free} | to_number }}` } });
    await api.invoke(proxyKey, 'POST', '', { body: { t: `{{ ${free} | json: '$..text' | nosuch }}` } });
    await api.invoke(proxyKey, 'POST', '', { body: `{"broken": "${pan} ${text}` });
  }
  // What is refused must not be remembered either.
  for (const body of [
    `{"type":"card","data":"${pan}`,
    { type: 'nosuch', data: text },
    { type: 'card', data: { number: `${pan}1`, text } },
  ]) {
    await api.send('POST', '/tokens', { key, body });
    await api.send('POST', '/tokenize', { key, body });
  }
  await api.manage('POST', '/proxies', {
    name: 'x'.repeat(201),
    destination_url: text,
    configuration: { A: configurationSecret },
  });
  await api.manage('PUT', `/proxies/${proxy.id}`, {
    name: 'y',
    destination_url: destination.url,
    configuration: { B: configurationSecret },
  });
  const deleted = await api.token({ type: 'token', data: text });
  await api.send('DELETE', `/tokens/${deleted}`, { key });
  await findAndChange(visit, card, free);
  await useTransforms(visit, free);
  await useReactors(visit, free);
  await useBt(visit, free);
  await useDestinationTls(visit, free);
  await useIdempotencyKeys(visit, free);
  await useClientEncryption(visit, proxy.key);
}
