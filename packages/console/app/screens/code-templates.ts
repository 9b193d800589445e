import { texts } from '../texts.ts';

export type Purpose = 'none' | 'sign' | 'mask';

const { purposes } = texts.create;

/** What a new proxy is for, and the code to begin with. */
export const proxyTemplates: Readonly<
  Record<Purpose, { readonly name: string; readonly transforms: object }>
> = {
  none: { name: purposes.none, transforms: {} },
  sign: {
    name: purposes.sign,
    transforms: {
      request_transform: {
        code: `const { createHmac } = require('node:crypto');

/** Signs the body with the secret SIGNING_KEY of the configuration. */
module.exports = async (req) => {
  const body = JSON.stringify(req.args.body ?? {});
  const signature = createHmac('sha256', req.configuration.SIGNING_KEY ?? '').update(body).digest('hex');
  return { headers: { ...req.args.headers, 'X-Signature': signature } };
};
`,
      },
    },
  },
  mask: {
    name: purposes.mask,
    transforms: {
      response_transform: {
        code: `/** Leaves the last four digits of what the destination calls a number. */
module.exports = async (req) => {
  const { number, ...rest } = req.args.body ?? {};
  return { body: { ...rest, number: typeof number === 'string' ? number.slice(-4) : undefined } };
};
`,
      },
    },
  },
};

/** Of a reactor or formula. */
export const firstReactorCode = `module.exports = async (req) => {
  return { raw: { received: Object.keys(req.args) } };
};
`;
