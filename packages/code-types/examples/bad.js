// Mistakes that the types find: a test compiles it, and fails where one of them is not an error.

// @ts-expect-error -- a transform must return something
exports.returnsNothing = /** @satisfies {RequestTransform} */ (async (req) => console.log(req.args));

// @ts-expect-error -- the result has no such member
exports.misspelt = /** @satisfies {RequestTransform} */ (async (req) => ({ bdy: req.args.body }));

// @ts-expect-error -- a result is an object
exports.text = /** @satisfies {ResponseTransform} */ (async (req) => req.args.body.text.toString() + 'x');

exports.request = /** @satisfies {RequestTransform} */ (
  // @ts-expect-error -- arguments are in `args`
  async (req) => ({ body: req.body })
);

exports.response = /** @satisfies {ResponseTransform} */ (
  // @ts-expect-error -- an answer has no method
  async (req) => ({ body: req.args.method })
);

exports.noBt = /** @satisfies {RequestTransform} */ (
  // @ts-expect-error -- a proxy without an application has no `bt`
  async (req) => ({ body: await req.bt.tokens.retrieve('id') })
);

exports.noSuchCall = /** @satisfies {ReactorCode} */ (
  // @ts-expect-error -- `bt` has no applications
  async (req) => ({ raw: req.bt && req.bt.applications.list() })
);

exports.noSuchType = /** @satisfies {ReactorCode} */ (
  // @ts-expect-error -- there is no such type of token
  async (req) => ({ raw: await req.bt?.tokens.create({ type: 'crad', data: 1 }) })
);

// @ts-expect-error -- a reactor answers `raw` and `tokenize`
exports.notRaw = /** @satisfies {ReactorCode} */ (async (req) => ({ body: req.args }));
