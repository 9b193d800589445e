const axios = require('axios');
const { ServiceUnavailableError } = require('@glovebox/reactor-errors');

const isWorthRepeating = ({ status }) => status === 429 || status >= 500;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = async (req) => {
  const { order, number } = req.args;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const answer = await axios.post(
      req.configuration.BANK,
      { order, number },
      { headers: { 'Idempotency-Key': order }, validateStatus: () => true, timeout: 5000 },
    );
    if (!isWorthRepeating(answer)) return { raw: { status: answer.status, attempts: attempt + 1 } };
    await pause(100 * 2 ** attempt);
  }
  throw new ServiceUnavailableError({ bank: ['does not answer'] });
};
