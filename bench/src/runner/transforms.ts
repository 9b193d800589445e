/** `req.args` of a request transform, about 1 KB of JSON text. */
export const args = Buffer.from(
  JSON.stringify({
    body: Object.fromEntries(
      Array.from({ length: 18 }, (_, n) => [`field_${n}`, `value ${n} of an ordinary request`]),
    ),
    headers: { 'Content-Type': 'application/json', Accept: '*/*', 'User-Agent': 'bench' },
    method: 'POST',
    path: '/charges',
    query: '?expand=customer',
  }),
);

const body = `{
  const { args, configuration } = req;
  return {
    body: { ...args.body, reference: args.body.field_1 },
    headers: { ...args.headers, 'X-Api-Key': configuration.API_KEY ?? 'not-a-key' },
  };
}`;

/** What most tenants write, and the same without `async`. */
export const transforms: Readonly<Record<string, string>> = {
  'async function': `module.exports = async function (req) ${body};`,
  'plain function': `module.exports = function (req) ${body};`,
};
