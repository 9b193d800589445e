module.exports = async (req) => {
  const { person, ssn } = req.args.body;
  const [family, ...given] = person.name.split(' ').reverse();
  return {
    headers: { 'Content-Type': 'application/fhir+json', Prefer: 'return=minimal' },
    body: {
      resourceType: 'Patient',
      identifier: [{ system: req.configuration.SYSTEM, value: ssn.replace(/-/g, '') }],
      name: [{ use: 'official', family, given: given.reverse() }],
      birthDate: person.born,
    },
  };
};
