import { expect, test } from 'vitest';
import { nameFitsDomain } from '../../../../../src/core/companies/name-fits-domain.ts';

test.each([
  ['Nike, Inc.', 'nike.com'],
  ['Nike Retail BV', 'nike.co.uk'],
  ['Robert Bosch GmbH', 'bosch.de'],
  ['Coca Cola Hellenic', 'coca-cola.com'],
  ['Müller & Söhne', 'mueller.de'],
  ['Müller', 'xn--mller-kva.de'],
  ['International Business Machines', 'ibm.com'],
  ['X Corp.', 'x.com'],
  ['Acme', 'acme.github.io'],
  ['Acme Software GmbH', 'acme-group.com'],
  ['Coca Cola Hellenic', 'coca-cola-shop.de'],
  ['Acme', 'getacme.com'],
  ['Acme Ltd', 'acmehq.io'],
])('the name %s fits the domain %s', (name, domain) => {
  expect(nameFitsDomain(name, domain)).toBe(true);
});

test.each([
  ['PUMA SE', 'nike.com'],
  ['Nikey', 'nike.com'],
  ['Xerox', 'x.com'],
  ['Apple Inc.', 'applebees.com'],
  ['GitHub', 'acme.github.io'],
  ['PUMA SE', 'nike-group.com'],
  ['Acme Software', 'megacme.com'],
  ['AB Volvo', 'ab-inbev.com'],
  ['!!!', 'nike.com'],
  ['x '.repeat(250), 'nike.com'],
])('the name %s does not fit the domain %s', (name, domain) => {
  expect(nameFitsDomain(name, domain)).toBe(false);
});
