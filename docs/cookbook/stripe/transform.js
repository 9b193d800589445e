const { stringify } = require('querystring');

module.exports = async (req) => {
  const { order, card } = req.args.body;
  return {
    headers: {
      Authorization: `Bearer ${req.configuration.STRIPE_KEY}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Idempotency-Key': order,
    },
    body: stringify({
      type: 'card',
      'card[number]': card.number,
      'card[exp_month]': card.expiration_month,
      'card[exp_year]': card.expiration_year,
    }),
  };
};
