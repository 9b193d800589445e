const axios = require('axios');

module.exports = async (req) => {
  const { id, number } = req.args;
  const { data } = await axios.post(`${req.configuration.PROVIDER}/rotate`, { number });
  const { number: rotated, expiration_month, expiration_year } = data;
  await req.bt.tokens.update(id, { data: { number: rotated, expiration_month, expiration_year } });
  return { raw: { id, last4: rotated.slice(-4) } };
};
