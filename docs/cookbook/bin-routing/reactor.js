const axios = require('axios');

module.exports = async (req) => {
  const { amount, card } = req.args;
  const { LOCAL, WORLD, LOCAL_BINS } = req.configuration;
  const isLocal = LOCAL_BINS.split(',').some((bin) => card.number.startsWith(bin));
  const { data } = await axios.post(isLocal ? LOCAL : WORLD, { amount, number: card.number });
  return { raw: { provider: isLocal ? 'local' : 'world', ...data } };
};
