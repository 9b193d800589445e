const query = `mutation ($input: TokenizeCreditCardInput!) {
  tokenizeCreditCard(input: $input) { paymentMethod { id } }
}`;

module.exports = async (req) => {
  const { card } = req.args.body;
  const { PUBLIC_KEY, PRIVATE_KEY } = req.configuration;
  const creditCard = {
    number: card.number,
    expirationMonth: String(card.expiration_month).padStart(2, '0'),
    expirationYear: String(card.expiration_year),
  };
  return {
    headers: {
      Authorization: `Basic ${Buffer.from(`${PUBLIC_KEY}:${PRIVATE_KEY}`).toString('base64')}`,
      'Braintree-Version': '2019-01-01',
      'Content-Type': 'application/json',
    },
    body: { query, variables: { input: { creditCard } } },
  };
};
