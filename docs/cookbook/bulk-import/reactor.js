const { parse } = require('csv-parse/sync');
const { BadRequestError } = require('@glovebox/reactor-errors');

module.exports = async (req) => {
  const rows = parse(req.args.csv, { columns: true, skip_empty_lines: true });
  if (rows.length > 100) throw new BadRequestError({ csv: ['has more than 100 lines'] });
  const tokens = Object.fromEntries(
    rows.map(({ customer, number }) => [
      customer,
      { type: 'card_number', data: number, deduplicate_token: true, metadata: { customer } },
    ]),
  );
  const made = await req.bt.tokenize(tokens);
  return { raw: Object.fromEntries(rows.map(({ customer }) => [customer, made[customer].id])) };
};
