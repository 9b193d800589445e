module.exports = async (req) => {
  const { account_number: data, ...rest } = req.args.body;
  const token = await req.bt.tokens.create({ type: 'us_bank_account_number', data });
  return { headers: req.args.headers, body: { ...rest, account: token.id, shown: token.data } };
};
