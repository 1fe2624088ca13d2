/** A list as a tool of other people exports it, and what a person expects to be read from it. */
export interface ToolExport {
  readonly tool: string;
  readonly file: string;
  readonly content: Buffer;
  /** The columns that are read, by field. */
  readonly columns: Readonly<Record<string, string>>;
  readonly companies: number;
  readonly addresses: number;
}

/** Synthetic, in the columns, quotes, encodings and line ends of the tools. */
export const toolExports: readonly ToolExport[] = [
  {
    tool: 'a CRM',
    file: 'hubspot-crm-exports-all-companies.csv',
    content: Buffer.from(
      [
        '"Record ID","Company name","Company owner","Create Date","Phone Number","City","Country/Region","Company Domain Name"',
        '"9123456","Nike","Jane Doe","2025-03-01 10:11","+1 503 671 6453","Beaverton","United States","nike.com"',
        '"9123457","adidas AG","Jane Doe","2025-03-01 10:12","","Herzogenaurach","Germany","adidas.com"',
        '"9123458","No Site GmbH","Max M.","2025-03-02 09:01","","Berlin","Germany",""',
        '',
      ].join('\n'),
    ),
    columns: { company_domain: 'Company Domain Name', company_name: 'Company name' },
    companies: 3,
    addresses: 0,
  },
  {
    tool: 'a prospecting tool',
    file: 'apollo-contacts-export.csv',
    content: Buffer.from(
      [
        'First Name,Last Name,Title,Company,Email,Email Status,Person Linkedin Url,Website,Company Linkedin Url,City,Country',
        'Anna,Berg,CMO,Zalando,anna.berg@example.com,Verified,http://www.linkedin.com/in/anna,http://www.zalando.de,http://www.linkedin.com/company/zalando,Berlin,Germany',
        'Tom,Li,VP Growth,Nike,tom.li@example.com,Guessed,http://www.linkedin.com/in/tom,http://www.nike.com,http://www.linkedin.com/company/nike,Portland,United States',
        '',
      ].join('\r\n'),
    ),
    columns: { company_domain: 'Website', company_name: 'Company', email: 'Email' },
    companies: 2,
    addresses: 2,
  },
  {
    tool: 'a German spreadsheet',
    file: 'Kundenliste.csv',
    content: Buffer.from(
      'Firma;Webseite;Ort;E-Mail\r\nMüller & Söhne;www.zalando.de;Köln;info@example.com\r\nNike Deutschland;nike.com;Berlin;\r\n',
      'latin1',
    ),
    columns: { company_domain: 'Webseite', company_name: 'Firma', email: 'E-Mail' },
    companies: 2,
    addresses: 1,
  },
  {
    tool: 'a database of companies',
    file: 'crunchbase-export.csv',
    content: Buffer.from(
      [
        '\uFEFFOrganization Name,Organization Name URL,Industries,Headquarters Location,Website,Number of Employees',
        'Airbnb,https://www.crunchbase.com/organization/airbnb,"Hospitality, Travel","San Francisco, California",https://www.airbnb.com,5001-10000',
        'Adidas,https://www.crunchbase.com/organization/adidas,"Apparel, Sports","Herzogenaurach, Bayern",https://www.adidas.com,10001+',
        '',
      ].join('\n'),
    ),
    columns: { company_domain: 'Website', company_name: 'Organization Name' },
    companies: 2,
    addresses: 0,
  },
];
