import { type Visit, cvc, pan, text } from './canary.ts';

/** What is searched for by its value, and what is written over. */
export async function findAndChange(visit: Visit, card: string, free: string): Promise<void> {
  const { api, key } = visit;
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  for (const query of [`data:"${text}"`, `data:"${pan}`, `${text}:${pan}`]) {
    for (const path of ['/tokens/search', '/v2/tokens/search']) {
      await api.send('POST', path, { key, body: { query } });
    }
  }
  await api.send('GET', `/tokens?id=${card}&id=${free}`, { key });
  await api.send('POST', '/detokenize', { key, body: [`{{${card}}}`, `{{${free} | to_number}}`, text] });
  await api.send('POST', '/detokenize', { key, body: `{"broken": "${pan} ${text}` });
  for (const body of [
    { data: { number: pan, cvc, note: text }, search_indexes: ['{{ data.number }}'] },
    { data: { number: `${pan}1`, cvc: text } },
    { data: text },
    `{"data": "${pan} ${text}`,
  ]) {
    await api.send('PATCH', `/tokens/${card}`, { key, body, headers });
  }
  const equal = { type: 'card_number', data: pan, deduplicate_token: true };
  await api.send('POST', `/tokens/${card}/children`, { key, body: equal });
  await api.send('POST', `/tokens/${card}/children`, { key, body: equal });
}
