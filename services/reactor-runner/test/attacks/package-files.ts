import type { Attack } from '../attack.ts';

export const attack: Attack = {
  name: 'reads files by the modules that packages are given',
  target: 'host',
  code: `
    module.exports = async () => {
      const read = [];
      const attempts = {
        workbook: () => new (require('exceljs').Workbook)().xlsx.readFile('/etc/passwd'),
        font: () => new (require('pdfkit'))().font('/etc/passwd'),
        wsdl: () => require('soap').createClientAsync('/etc/passwd'),
        ini: () => new (require('aws-sdk').SharedIniFileCredentials)({ filename: '/etc/passwd' }).get(() => {}),
        fetch: () => require('node-fetch')('file:///etc/passwd'),
      };
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          const got = await attempt();
          if (/root:/.test(require('util').inspect(got, { depth: 9 }))) read.push(name);
        } catch (error) {
          if (/root:/.test(require('util').inspect(error))) read.push(name);
        }
      }
      return read;
    };`,
  expectation: { returns: [] },
};
