// Code that the types accept: a test compiles it.
const axios = require('axios');
const { BadRequestError, CustomHttpResponseError } = require('@glovebox/reactor-errors');

exports.request = /** @satisfies {RequestTransform} */ (
  async (req) => {
    const { body, headers, method, path, query } = req.args;
    if (body === undefined) throw new BadRequestError({ body: ['is required'] });
    await axios.post('https://example.com', { path: path + query });
    return {
      body: { ...body, method },
      headers: { ...headers, 'X-Key': req.configuration.KEY, 'X-No': null },
    };
  }
);

exports.response = /** @satisfies {ResponseTransform} */ (
  (req) => {
    if (req.args.body.declined) {
      throw new CustomHttpResponseError({ status: 402, headers: { 'X-A': 'b' }, body: { declined: true } });
    }
    return { headers: req.args.headers };
  }
);

exports.reactor = /** @satisfies {ReactorCode} */ (
  async (req) => {
    if (req.bt === null) return undefined;
    const token = await req.bt.tokens.create({ type: 'token', data: req.args.data, containers: ['/a/'] });
    const { raw } = await req.bt.reactors.react('id', { args: {} }, { idempotencyKey: 'a' });
    const all = await req.bt.detokenize({ value: `{{ ${token.id} }}` });
    return { raw: { id: token.id, raw, all }, tokenize: { type: 'token', data: 'x' } };
  }
);

exports.silent = /** @satisfies {ReactorCode} */ (async (req) => console.log(req.args));
